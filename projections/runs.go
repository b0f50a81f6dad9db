package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
)

// InlineReports is the name of what commands project themselves, beside
// Projections.
const InlineReports = "reports"

// Work is what can be done with a projection on request.
type Work string

// The works.
const (
	WorkVerify  Work = "verify"  // compare it with what the log makes of it
	WorkRebuild Work = "rebuild" // make it anew
)

// A Run is a verification or a rebuild that somebody asked for.
type Run struct {
	ID          string
	Name        string // of the projection
	Work        Work
	RequestedBy string // account
	RequestedAt time.Time
	StartedAt   *time.Time
	FinishedAt  *time.Time
	Done, Total int64    // reports, or positions of the log; Total is 0 until it is known
	Wrong       int64    // rows that were not what the log makes of them
	Findings    []string // the first of them, by ids
	Error       *string  // of the last attempt; a run that is not finished is tried again
}

const runColumns = `id::text, name, work, requested_by::text, requested_at, started_at, finished_at, done, total, wrong, findings, error`

// Runs keeps what was asked for and does it, outside of the request that asks.
type Runs struct {
	pool      *pgxpool.Pool
	projector *Projector
	now       func() time.Time
	// enqueue sees to it that Do is called for a run, some time after tx commits.
	enqueue func(ctx context.Context, tx pgx.Tx, runID string) error
	turn    chan struct{} // holds something while a run works
	// Patience is how long Do waits for another server that is at the run, 45 s
	// where NewRuns made it: longer than that server keeps a task it has lost.
	Patience time.Duration
}

// NewRuns makes Runs.
func NewRuns(pool *pgxpool.Pool, projector *Projector, now func() time.Time, enqueue func(ctx context.Context, tx pgx.Tx, runID string) error) *Runs {
	return &Runs{pool: pool, projector: projector, now: now, enqueue: enqueue, turn: make(chan struct{}, 1), Patience: runPatience}
}

// Request asks for work on a projection, or gives the run of it that is not
// finished yet. It is not_found when there is no such projection. A run whose
// server is gone goes on when it is asked for again.
func (r *Runs) Request(ctx context.Context, name string, work Work, userID string) (run Run, err error) {
	if _, counted := Find(name); !counted && name != InlineReports {
		return Run{}, domain.NotFound()
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Run{}, fmt.Errorf("run id: %w", err)
	}
	err = pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `INSERT INTO core_projection_runs (id, name, work, requested_by, requested_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (name, work) WHERE finished_at IS NULL DO UPDATE SET name = excluded.name
			RETURNING `+runColumns, id, name, work, userID, r.now())
		if err != nil {
			return err
		}
		if run, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Run]); err != nil {
			return err
		}
		return r.enqueue(ctx, tx, run.ID)
	})
	if err != nil {
		return Run{}, fmt.Errorf("ask to %s %s: %w", work, name, err)
	}
	return run, nil
}

// Latest gives the newest run of each work on each projection.
func (r *Runs) Latest(ctx context.Context) ([]Run, error) {
	rows, err := r.pool.Query(ctx, `SELECT DISTINCT ON (name, work) `+runColumns+` FROM core_projection_runs ORDER BY name, work, requested_at DESC`)
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Run])
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	return all, nil
}

// The bounds of a run.
const (
	runWorkers  = 2           // reports worked side by side, so that requests keep their connections
	runFindings = 20          // kept of what was found
	runTells    = time.Second // how often progress is stored
)

// Do does a run, once those that work on this server are done. It is idempotent: it
// does nothing when the run is finished. Its error is worth another attempt, unless
// this is the last, whose error ends the run; so is that of another server being at
// the run, which ends none, since that one may yet lose it. A run that is stopped
// with ctx is not finished; a rebuild goes on quickly, since it leaves alone what is
// done.
func (r *Runs) Do(ctx context.Context, runID string, last bool) error {
	conn, err := r.lock(ctx, runID)
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}
	defer closeLock(ctx, conn)
	// Before its turn, for which what is finished need not wait.
	var open bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_projection_runs WHERE id = $1 AND finished_at IS NULL)`, runID).Scan(&open)
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}
	if !open {
		return nil
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	rows, err := conn.Query(ctx, `UPDATE core_projection_runs SET started_at = coalesce(started_at, $2) WHERE id = $1 RETURNING `+runColumns, runID, r.now())
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}
	run, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Run])
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}

	p := r.tellProgress(ctx, runID)
	err = r.work(ctx, &run, p.set)
	run.Done, run.Total = p.stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	finished := last || err == nil || errors.Is(err, ErrNotBuilt) || errors.Is(err, ErrNotWhole)
	if storing := r.store(ctx, run, err, finished); storing != nil || !finished || last {
		return errors.Join(err, storing)
	}
	return nil
}

// store keeps what a run found.
func (r *Runs) store(ctx context.Context, run Run, cause error, finished bool) error {
	if finished {
		now := r.now()
		run.FinishedAt = &now
	}
	run.Error = nil
	if cause != nil {
		text := cause.Error()
		run.Error = &text
	} else {
		run.Done = run.Total // what was told may be a moment old
	}
	if _, err := r.pool.Exec(ctx, `UPDATE core_projection_runs SET finished_at = $2, done = $3, total = $4, wrong = $5, findings = $6, error = $7 WHERE id = $1`,
		run.ID, run.FinishedAt, run.Done, run.Total, run.Wrong, append([]string{}, run.Findings...), run.Error); err != nil {
		return fmt.Errorf("run %s: %w", run.ID, err)
	}
	return nil
}

// work does it and fills in what was found.
func (r *Runs) work(ctx context.Context, run *Run, progress func(done, total int64)) (err error) {
	run.Wrong, run.Findings = 0, nil
	projection, counted := Find(run.Name)
	switch {
	case counted && run.Work == WorkVerify:
		_, run.Wrong, err = VerifyCounted(ctx, r.pool, projection, progress)
		return err
	case counted:
		return r.projector.RebuildCounted(ctx, projection, progress)
	}
	inline := Rebuilder{Pool: r.pool, Workers: runWorkers, Progress: progress, Found: func(m Mismatch) {
		if len(run.Findings) < runFindings {
			run.Findings = append(run.Findings, m.String())
		}
	}}
	if run.Work == WorkVerify {
		done, err := inline.Verify(ctx)
		run.Wrong = done.Mismatched
		return err
	}
	done, err := inline.Rebuild(ctx)
	run.Wrong = done.Mismatched
	if err == nil && done.Rewritten < done.Mismatched {
		err = ErrNotWhole
	}
	return err
}

// ErrNotWhole says that not everything could be rebuilt.
var ErrNotWhole = errors.New("some reports cannot be rebuilt, because their events are not whole: see docket audit verify")
