package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// statementLimit bounds statements that a stopping server still waits for.
const statementLimit = 3 * time.Second

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

// The index core_queue_next returns the tasks in order and SKIP LOCKED skips rows that
// others are taking. The ids go through an array so that the update finds its rows by
// primary key, whatever the statistics of a fast-changing table say.
const takeTasks = `
UPDATE core_queue SET status = 'processing', attempts = attempts + 1, locked_until = $3
WHERE id = ANY (ARRAY(
	SELECT id FROM core_queue
	WHERE queue = $1 AND status = 'pending' AND available_at <= $2
	ORDER BY priority DESC, available_at, id
	LIMIT $4
	FOR UPDATE SKIP LOCKED))
RETURNING id::text, plugin_id, name, payload, priority, attempts, max_attempts`

// take leases at most limit tasks of a queue, by priority.
func (q *Queue) take(ctx context.Context, queue Name, limit int) ([]taken, error) {
	// Tasks taken by a cancelled statement would be blocked until their leases end, so
	// the end of ctx does not cancel it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), statementLimit)
	defer cancel()
	now := q.now()
	var tasks []taken
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	b.Queue(takeTasks, string(queue), now, now.Add(q.config.Lease), limit).Query(func(rows pgx.Rows) (err error) {
		tasks, err = pgx.CollectRows(rows, pgx.RowToStructByPos[taken])
		return err
	})
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
	available_at = CASE WHEN attempts < max_attempts THEN $1 ELSE available_at END,
	locked_until = NULL,
	last_error = $3
WHERE id = ANY (ARRAY(
	SELECT id FROM core_queue
	WHERE status = 'processing' AND locked_until < $1
	LIMIT $2
	FOR UPDATE SKIP LOCKED))`

const leaseEnded = "The worker did not finish before its lease ended."

// returnExpired makes the tasks of dead workers available again. The index
// core_queue_leases finds them.
func (q *Queue) returnExpired(ctx context.Context) (int64, error) {
	const batch = 1000
	for total := int64(0); ; {
		tag, err := q.pool.Exec(ctx, returnTasks, q.now(), batch, leaseEnded)
		if err != nil {
			return total, fmt.Errorf("return tasks of ended leases: %w", err)
		}
		total += tag.RowsAffected()
		if tag.RowsAffected() < batch {
			return total, nil
		}
	}
}

// Tasks in progress are those with a lease. Conditions say so instead of naming the status,
// since PostgreSQL would read core_queue_leases with all its dead entries when it expects few
// tasks in progress.
const extendLeases = `
UPDATE core_queue q SET locked_until = $3
FROM unnest($1::uuid[], $2::int[]) AS mine (id, attempt)
WHERE q.id = ANY ($1) AND q.id = mine.id AND q.attempts = mine.attempt AND q.locked_until IS NOT NULL
RETURNING q.id::text, q.attempts`

// extend extends leases and returns those that were still held.
func (q *Queue) extend(ctx context.Context, leases []fence, until time.Time) (map[fence]bool, error) {
	ids, attempts := make([]string, len(leases)), make([]int32, len(leases))
	for i, f := range leases {
		ids[i], attempts[i] = f.taskID, f.attempt
	}
	held := make(map[fence]bool, len(leases))
	var f fence
	err := postgres.ForEach(ctx, q.pool, "extend leases", []any{&f.taskID, &f.attempt}, func() error {
		held[f] = true
		return nil
	}, extendLeases, ids, attempts, until)
	if err != nil {
		return nil, err
	}
	return held, nil
}

// outcome is the result of an attempt.
type outcome struct {
	id          string
	attempt     int32
	status      Status
	availableAt *time.Time // of a task that is pending again
	lastError   *string    // nil keeps the previous one
}

const settleTasks = `
UPDATE core_queue q SET
	status = o.status, locked_until = NULL,
	available_at = coalesce(o.available_at, q.available_at),
	last_error = coalesce(o.last_error, q.last_error),
	completed_at = CASE WHEN o.status = 'completed' THEN $6::timestamptz END
FROM unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::text[])
	AS o (id, attempt, status, available_at, last_error)
WHERE q.id = ANY ($1) AND q.id = o.id AND q.attempts = o.attempt AND q.locked_until IS NOT NULL`

// settle stores outcomes. It drops those of attempts whose lease has ended.
func (q *Queue) settle(ctx context.Context, outcomes []outcome) error {
	n := len(outcomes)
	ids, attempts, statuses := make([]string, n), make([]int32, n), make([]string, n)
	available, messages := make([]*time.Time, n), make([]*string, n)
	for i, o := range outcomes {
		ids[i], attempts[i], statuses[i] = o.id, o.attempt, string(o.status)
		available[i], messages[i] = o.availableAt, o.lastError
	}
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	b.Queue(settleTasks, ids, attempts, statuses, available, messages, q.now())
	if err := q.pool.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("settle %d tasks: %w", n, err)
	}
	return nil
}
