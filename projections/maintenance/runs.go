// Package maintenance verifies and rebuilds projections on request. The work is done by a
// task, outside of the request.
package maintenance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/follow"
	"github.com/docketmod/docket/projections/projector"
)

// InlineReports is the name of the projection that commands keep themselves.
const InlineReports = "reports"

// Work says what to do with a projection.
type Work string

// The kinds of work.
const (
	WorkVerify  Work = "verify"  // compare it with the log
	WorkRebuild Work = "rebuild" // derive it from the log again
)

// Run is a verification or a rebuild that somebody asked for.
type Run struct {
	ID          string
	Name        string // of the projection
	Work        Work
	RequestedBy string // account
	RequestedAt time.Time
	StartedAt   *time.Time
	FinishedAt  *time.Time
	Done, Total int64    // reports, or positions of the log; Total is 0 until it is known
	Wrong       int64    // rows that differ from the log
	Findings    []string // the first of the differences, without any words
	Error       *string  // of the last attempt; an unfinished run is retried
}

const runColumns = `id::text, name, work, requested_by::text, requested_at, started_at, finished_at, done, total, wrong, findings, error`

// Runs stores and executes runs.
type Runs struct {
	pool      *pgxpool.Pool
	locks     *sessionlock.Locks
	projector *projector.Projector
	now       func() time.Time
	// enqueue arranges for Do to be called with the run once tx has committed.
	enqueue func(ctx context.Context, tx pgx.Tx, runID string) error
	turn    chan struct{} // holds a value while a run works
	// Patience is how long Do waits for another server that executes the run: by default
	// 45 s, which is longer than a server continues with a task whose lease it has lost.
	Patience time.Duration
}

// New returns Runs.
func New(pool *pgxpool.Pool, projector *projector.Projector, now func() time.Time, enqueue func(ctx context.Context, tx pgx.Tx, runID string) error) *Runs {
	return &Runs{pool: pool, locks: sessionlock.New(pool.Config().ConnConfig), projector: projector, now: now, enqueue: enqueue, turn: make(chan struct{}, 1), Patience: runPatience}
}

// Request asks for work on a projection and returns its run, which may be an unfinished run
// of the same work. The error is not_found if there is no such projection. A second request
// makes another server continue a run whose server is gone.
func (r *Runs) Request(ctx context.Context, name string, work Work, userID string) (run Run, err error) {
	if _, counted := r.projector.Find(name); !counted && name != InlineReports && name != cases.Name && name != counts.Name {
		return Run{}, domain.NotFound()
	}
	err = pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		run, err = postgres.CollectOne(ctx, tx, "store the run", pgx.RowToStructByPos[Run],
			`INSERT INTO core_projection_runs (id, name, work, requested_by, requested_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (name, work) WHERE finished_at IS NULL DO UPDATE SET name = excluded.name
			RETURNING `+runColumns, uuid.Must(uuid.NewV7()), name, work, userID, r.now())
		if err != nil {
			return err
		}
		return r.enqueue(ctx, tx, run.ID)
	})
	if err != nil {
		return Run{}, fmt.Errorf("ask to %s %s: %w", work, name, err)
	}
	return run, nil
}

// Latest returns the newest run of each work on each projection.
func (r *Runs) Latest(ctx context.Context) ([]Run, error) {
	return postgres.Collect(ctx, r.pool, "list runs", pgx.RowToStructByPos[Run],
		`SELECT DISTINCT ON (name, work) `+runColumns+` FROM core_projection_runs ORDER BY name, work, requested_at DESC`)
}

// The limits of a run.
const (
	runWorkers  = 2           // few, so that requests keep their connections
	runFindings = 20          // that are kept
	storeEvery  = time.Second // how often progress is stored
)

// runPatience is longer than a lease of the queue (30 s). A server that stalls keeps its
// lock after another server got the task, until it notices that its lease is lost.
const runPatience = 45 * time.Second

var errRunTaken = errors.New("another server is working on it")

// Do executes a run, one at a time on this server. It does nothing if the run is finished.
// After an error the caller should retry; with last, an error of the work finishes the run.
// It never finishes a run that another server executes, since that server may fail, nor one
// that ctx stops. A retried rebuild soon reaches the point where the last attempt stopped.
func (r *Runs) Do(ctx context.Context, runID string, last bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lock, err := r.locks.Acquire(ctx, "docket:projection-run:"+runID, r.Patience, func() { cancel(sessionlock.ErrLost) })
	if errors.Is(err, sessionlock.ErrTaken) {
		err = errRunTaken
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}
	defer lock.Release()
	// A finished run need not wait for its turn.
	var unfinished bool
	err = lock.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_projection_runs WHERE id = $1 AND finished_at IS NULL)`, []any{runID}, &unfinished)
	if err != nil {
		return fmt.Errorf("run %s: %w", runID, err)
	}
	if !unfinished {
		return nil
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	run, err := postgres.CollectOne(ctx, r.pool, "run "+runID, pgx.RowToStructByPos[Run],
		`UPDATE core_projection_runs SET started_at = coalesce(started_at, $2) WHERE id = $1 RETURNING `+runColumns, runID, r.now())
	if err != nil {
		return err
	}

	p := r.storeProgress(ctx, runID)
	err = r.work(ctx, &run, p.set)
	run.Done, run.Total = p.stop()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	finished := last || err == nil || errors.Is(err, projector.ErrNotBuilt) || errors.Is(err, ErrNotWhole)
	if storing := r.store(ctx, run, err, finished); storing != nil || !finished || last {
		return errors.Join(err, storing)
	}
	return nil
}

// store stores the outcome of a run.
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
		run.Done = run.Total // the last progress may be a moment old
	}
	return postgres.Exec(ctx, r.pool, "run "+run.ID, `UPDATE core_projection_runs SET finished_at = $2, done = $3, total = $4, wrong = $5, findings = $6, error = $7 WHERE id = $1`,
		run.ID, run.FinishedAt, run.Done, run.Total, run.Wrong, append([]string{}, run.Findings...), run.Error)
}

// work executes the run and sets its findings.
func (r *Runs) work(ctx context.Context, run *Run, progress func(done, total int64)) (err error) {
	run.Wrong, run.Findings = 0, nil
	projection, counted := r.projector.Find(run.Name)
	switch {
	case counted && run.Work == WorkVerify:
		_, run.Wrong, err = projector.Verify(ctx, r.pool, projection, progress)
		return err
	case counted:
		return r.projector.Rebuild(ctx, projection, progress)
	case run.Name == cases.Name && run.Work == WorkVerify:
		if err := r.await(ctx, cases.Name); err != nil {
			return err
		}
		_, wrong, err := cases.Verify(ctx, r.pool, progress)
		run.Wrong = int64(len(wrong))
		for _, t := range wrong[:min(len(wrong), runFindings)] {
			run.Findings = append(run.Findings, t.String())
		}
		return err
	case run.Name == cases.Name:
		return cases.Rebuild(ctx, r.pool, progress)
	case run.Name == counts.Name && run.Work == WorkVerify:
		if err := r.await(ctx, counts.Name); err != nil {
			return err
		}
		_, run.Wrong, err = counts.Verify(ctx, r.pool)
		return err
	case run.Name == counts.Name:
		return counts.Rebuild(ctx, r.pool, progress)
	}
	inline := projections.Rebuilder{Pool: r.pool, Workers: runWorkers, Progress: progress, Found: func(m projections.Mismatch) {
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

// await waits until the servers' followers have applied the log as it is now.
func (r *Runs) await(ctx context.Context, name string) error {
	end, err := eventstore.LastPosition(ctx, r.pool)
	if err != nil {
		return err
	}
	return follow.Await(ctx, r.pool, name, end, follow.Patience, nil)
}

// ErrNotWhole means that not everything could be rebuilt.
var ErrNotWhole = errors.New("some reports cannot be rebuilt, because their events are not whole: see docket audit verify")

// runTask is the name of the queue's task that executes a run.
const runTask = "projections.run"

// runLimit bounds one attempt. runAttempts counts failures only: a server that stops passes
// its run to another.
const (
	runLimit    = 12 * time.Hour
	runAttempts = 3
)

type runPayload struct {
	RunID string `json:"runId"`
}

// Enqueue makes the queue execute the run once tx has committed.
func Enqueue(ctx context.Context, tx pgx.Tx, runID string) error {
	return queue.EnqueueTx(ctx, tx, queue.Task{PluginID: permission.CorePlugin, Name: runTask, Queue: queue.Long,
		Payload: runPayload{runID}, MaxAttempts: runAttempts})
}

// Handle makes the queue's workers execute runs.
func (r *Runs) Handle(q *queue.Queue) error {
	return q.Handle(permission.CorePlugin, runTask, queue.Handler{Limit: runLimit, Run: queue.Decoded(func(ctx context.Context, a queue.Attempt, p runPayload) error {
		return r.Do(ctx, p.RunID, a.Last)
	})})
}
