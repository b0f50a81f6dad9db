package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// defaultLease is how long a dead worker's task stays leased.
const defaultLease = 30 * time.Second

func (e *engine) hold(t taken, cancel context.CancelCauseFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leases[fence{t.ID, t.Number}] = &lease{until: time.Now().Add(e.q.config.Lease), cancel: cancel}
}

func (e *engine) drop(outcomes []outcome) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, o := range outcomes {
		delete(e.leases, fence{o.id, o.attempt})
	}
}

// extendAll extends all leases three times per lease duration.
func (e *engine) extendAll() {
	ticker := time.NewTicker(max(e.q.config.Lease/3, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			e.extendOnce()
		case <-e.closed:
			return
		}
	}
}

// extendOnce extends the leases, and cancels attempts that have lost theirs: the task has become available again, or
// the lease has ended while the database does not respond.
func (e *engine) extendOnce() {
	e.storing.Lock()
	defer e.storing.Unlock()
	e.mu.Lock()
	mine := slices.Collect(maps.Keys(e.leases))
	e.mu.Unlock()
	if len(mine) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), statementLimit)
	defer cancel()
	until := time.Now().Add(e.q.config.Lease)
	held, err := e.q.extend(ctx, mine)
	if err != nil {
		e.q.config.Log.Error().Err(err).Int("tasks", len(mine)).Msg("leases not extended")
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range mine {
		l := e.leases[f]
		switch {
		case l == nil: // settled meanwhile
		case held[f]:
			l.until = until
		case err == nil || time.Now().After(l.until):
			l.cancel(errLeaseLost)
		}
	}
}

// taken is a task leased by one attempt.
type taken struct {
	ID          string
	PluginID    string
	Name        string
	Payload     json.RawMessage
	Priority    int16
	Number      int32 // of the attempt
	MaxAttempts int32
}

// takeTasks leases tasks. It uses the index core_queue_next for the order, and SKIP LOCKED to skip rows that others are
// taking. It reads and skips tasks that only other servers handle. The ids go through an array so that the update finds
// its rows by primary key, even if the statistics of the fast-changing table are wrong.
const takeTasks = `
UPDATE core_queue SET status = 'processing', attempts = attempts + 1, locked_until = now() + $2::interval
WHERE id = ANY (ARRAY(
	SELECT id FROM core_queue
	WHERE queue = $1 AND status = 'pending' AND available_at <= now() AND plugin_id || ':' || name = ANY ($4)
	ORDER BY priority DESC, available_at, id
	LIMIT $3
	FOR UPDATE SKIP LOCKED))
RETURNING id::text, plugin_id, name, payload, priority, attempts, max_attempts`

// take leases tasks that this server handles, at most limit of one queue, by priority.
func (q *Queue) take(ctx context.Context, queue Name, limit int) ([]taken, error) {
	// Tasks taken by a cancelled statement would be blocked until their leases end, so
	// the end of ctx does not cancel it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), statementLimit)
	defer cancel()
	var tasks []taken
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	postgres.QueueCollect(b, &tasks, pgx.RowToStructByPos[taken], takeTasks,
		string(queue), q.config.Lease, limit, q.Handled())
	if err := q.pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("take tasks: %w", err)
	}
	slices.SortFunc(tasks, func(a, b taken) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.ID, b.ID))
	})
	return tasks, nil
}

const returnTasks = `
UPDATE core_queue SET
	status = CASE WHEN attempts < max_attempts THEN 'pending' ELSE 'failed' END,
	available_at = CASE WHEN attempts < max_attempts THEN now() ELSE available_at END,
	locked_until = NULL,
	last_error = $2
WHERE id = ANY (ARRAY(
	SELECT id FROM core_queue
	WHERE status = 'processing' AND locked_until < now()
	LIMIT $1
	FOR UPDATE SKIP LOCKED))`

const leaseEnded = "The worker did not finish before its lease ended."

// returnExpired makes the tasks of dead workers available again, or fails those whose last attempt it was. It uses the index core_queue_leases.
func (q *Queue) returnExpired(ctx context.Context) (int64, error) {
	const batch = 1000
	return postgres.ExecAll(ctx, q.pool, "return tasks of ended leases", batch, returnTasks, batch, leaseEnded)
}

// extendLeases finds tasks in progress by their lease and not by their status, and repeats the ids in its condition, so
// that PostgreSQL looks up the ids. Otherwise, if it expects few tasks in progress, it reads core_queue_leases with all
// its dead entries.
const extendLeases = `
UPDATE core_queue q SET locked_until = now() + $3::interval
FROM unnest($1::uuid[], $2::int[]) AS mine (id, attempt)
WHERE q.id = ANY ($1) AND q.id = mine.id AND q.attempts = mine.attempt AND q.locked_until IS NOT NULL
RETURNING q.id::text, q.attempts`

// extend extends the leases of the attempts that still have one, and returns those attempts.
func (q *Queue) extend(ctx context.Context, leases []fence) (map[fence]bool, error) {
	ids, attempts := make([]string, len(leases)), make([]int32, len(leases))
	for i, f := range leases {
		ids[i], attempts[i] = f.taskID, f.attempt
	}
	held := make(map[fence]bool, len(leases))
	var f fence
	err := postgres.ForEach(ctx, q.pool, "extend leases", []any{&f.taskID, &f.attempt}, func() error {
		held[f] = true
		return nil
	}, extendLeases, ids, attempts, q.config.Lease)
	if err != nil {
		return nil, err
	}
	return held, nil
}
