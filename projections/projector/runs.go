package projector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
	"github.com/docketmod/docket/platform/queue"
)

// Work is what to do with a projection.
type Work string

// The kinds of work.
const (
	WorkVerify  Work = "verify"  // compare it with the log
	WorkRebuild Work = "rebuild" // derive it from the log again
)

// Run is a requested verification or rebuild.
type Run struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"` // of the projection
	Work        Work         `json:"work"`
	State       string       `json:"state"`       // pending, running, done or failed
	Done        int64        `json:"done"`        // reports, or positions of the log
	Total       int64        `json:"total"`       // 0 until it is known
	Wrong       int64        `json:"wrong"`       // rows that differ from the log
	Findings    []string     `json:"findings"`    // the first differences, without people's words
	RequestedBy string       `json:"requestedBy"` // account
	RequestedAt domain.Time  `json:"requestedAt"`
	StartedAt   *domain.Time `json:"startedAt"`
	FinishedAt  *domain.Time `json:"finishedAt"`
	Error       *string      `json:"error"` // of the last attempt; an unfinished run is retried
}

const runColumns = `id::text, name, work,
	CASE WHEN finished_at IS NOT NULL THEN CASE WHEN error IS NULL THEN 'done' ELSE 'failed' END
		WHEN started_at IS NOT NULL THEN 'running' ELSE 'pending' END,
	done, total, wrong, findings, requested_by::text, requested_at, started_at, finished_at, error`

// Runs stores and runs requested verifications and rebuilds, in a task outside of the request.
type Runs struct {
	pool      *pgxpool.Pool
	locks     *sessionlock.Locks
	projector *Projector
	now       func() time.Time
	// enqueue arranges a call of Do for the run after tx commits.
	enqueue func(ctx context.Context, tx pgx.Tx, runID string) error
	turn    chan struct{} // holds a value while a run works
	// Patience is how long Do waits for another server that works on the run: by default 45 s,
	// which is longer than a server works on a task after it has lost the lease.
	Patience time.Duration
}

// NewRuns returns Runs.
func NewRuns(pool *pgxpool.Pool, projector *Projector, now func() time.Time, enqueue func(ctx context.Context, tx pgx.Tx, runID string) error) *Runs {
	return &Runs{pool: pool, locks: sessionlock.New(pool.Config().ConnConfig), projector: projector, now: now, enqueue: enqueue, turn: make(chan struct{}, 1), Patience: runPatience}
}

// Request requests work on a projection and returns its run, which may be an unfinished run of the
// same work. The error is not_found if there is no such projection. A repeated request makes
// another server continue a run whose server is gone.
func (r *Runs) Request(ctx context.Context, name string, work Work, userID string) (run Run, err error) {
	if len(r.projector.Select(name)) != 1 || name == "" {
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

// runPatience is longer than a lease of the queue (30 s). A server that stalls holds its lock after
// another server got the task, until it notices that its lease is lost.
const runPatience = 45 * time.Second

// Do runs a run, one at a time on this server. It does nothing if the run is finished. The caller
// should retry after an error; if last is set, an error of the work finishes the run. It does not
// finish a run that another server works on, since that server may fail, nor one that ctx stops. A
// retried rebuild soon reaches the point where the last attempt stopped.
func (r *Runs) Do(ctx context.Context, runID string, last bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lock, err := r.locks.Acquire(ctx, "docket:projection-run:"+runID, r.Patience, func() { cancel(sessionlock.ErrLost) })
	if errors.Is(err, sessionlock.ErrTaken) {
		err = errors.New("another server is working on it")
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

	err = r.work(ctx, &run)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	finished := last || err == nil || errors.Is(err, ErrNotBuilt) || errors.Is(err, ErrNotWhole)
	if storing := r.store(ctx, run, err, finished); storing != nil || !finished || last {
		return errors.Join(err, storing)
	}
	return nil
}

// store stores the outcome of a run.
func (r *Runs) store(ctx context.Context, run Run, cause error, finished bool) error {
	if finished {
		run.FinishedAt = new(domain.Time(r.now()))
	}
	run.Error = nil
	if cause != nil {
		run.Error = new(cause.Error())
	} else {
		run.Done = run.Total // the last progress may be a moment old
	}
	return postgres.Exec(ctx, r.pool, "run "+run.ID, `UPDATE core_projection_runs SET finished_at = $2, done = $3, total = $4, wrong = $5, findings = $6, error = $7 WHERE id = $1`,
		run.ID, (*time.Time)(run.FinishedAt), run.Done, run.Total, run.Wrong, domain.OrNone(run.Findings), run.Error)
}

// work does the run's work and sets its findings. It stores its progress once in storeEvery.
func (r *Runs) work(ctx context.Context, run *Run) error {
	run.Wrong, run.Findings = 0, nil
	var mu sync.Mutex
	var stored time.Time
	o := Options{Workers: runWorkers, Found: func(difference string) {
		if len(run.Findings) < runFindings {
			run.Findings = append(run.Findings, difference)
		}
	}, Progress: func(done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		run.Done, run.Total = done, total
		if now := time.Now(); now.Sub(stored) >= storeEvery {
			stored = now
			// A lasting error shows in the outcome of the run.
			_, _ = r.pool.Exec(ctx, `UPDATE core_projection_runs SET done = $2, total = $3 WHERE id = $1`, run.ID, done, total)
		}
	}}
	group := r.projector.Select(run.Name)
	if len(group) == 0 {
		return domain.NotFound()
	}
	do := group[0][0].Verify
	if run.Work == WorkRebuild {
		do = group[0][0].Rebuild
	}
	result, err := do(ctx, r.pool, o)
	run.Wrong = result.Wrong
	return err
}

// runTask is the name of the queue's task that works on a run.
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

// Enqueue enqueues the task of the run in tx.
func Enqueue(ctx context.Context, tx pgx.Tx, runID string) error {
	return queue.EnqueueTx(ctx, tx, queue.Task{PluginID: permission.CorePlugin, Name: runTask, Queue: queue.Long,
		Payload: runPayload{runID}, MaxAttempts: runAttempts})
}

// Handle registers the task that works on runs.
func (r *Runs) Handle(q *queue.Queue) error {
	return q.Handle(permission.CorePlugin, runTask, queue.Handler{Limit: runLimit, Run: queue.Decoded(func(ctx context.Context, a queue.Attempt, p runPayload) error {
		return r.Do(ctx, p.RunID, a.Last)
	})})
}
