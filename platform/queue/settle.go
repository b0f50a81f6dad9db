package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// maxSettle is how many outcomes are stored in one statement.
const maxSettle = 1000

// settleAll stores outcomes in batches. While one batch is stored the next one accumulates, so
// batches grow with the load.
func (e *engine) settleAll() {
	batch := make([]outcome, 0, maxSettle)
	for {
		select {
		case o := <-e.outcomes:
			batch = e.gather(append(batch[:0], o))
			e.store(batch)
		case <-e.closed:
			if batch = e.gather(batch[:0]); len(batch) == 0 {
				return
			}
			e.store(batch)
		}
	}
}

// gather adds available outcomes to the batch without waiting.
func (e *engine) gather(batch []outcome) []outcome {
	for len(batch) < maxSettle {
		select {
		case o := <-e.outcomes:
			batch = append(batch, o)
		default:
			return batch
		}
	}
	return batch
}

// store stores outcomes, with retries for the length of a lease, which is extended meanwhile, and
// once more when the engine stops. After that the tasks run again as other attempts.
func (e *engine) store(batch []outcome) {
	defer e.drop(batch)
	deadline := time.Now().Add(e.q.config.Lease)
	wait := 50 * time.Millisecond
	for {
		stopping := e.wasClosed()
		err := e.storeOnce(batch)
		if err == nil {
			return
		}
		if stopping || time.Now().After(deadline) {
			e.q.config.Log.Error().Err(err).Int("tasks", len(batch)).Msg("outcomes lost; the tasks run again when their leases end")
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-e.closed:
		}
		timer.Stop()
		wait = min(2*wait, 2*time.Second)
	}
}

func (e *engine) storeOnce(batch []outcome) error {
	e.storing.Lock()
	defer e.storing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), statementLimit)
	defer cancel()
	return e.q.settle(ctx, batch)
}

func (e *engine) wasClosed() bool {
	select {
	case <-e.closed:
		return true
	default:
		return false
	}
}

// outcome is the result of an attempt.
type outcome struct {
	id        string
	attempt   int32
	status    Status
	wait      time.Duration // of a task that is pending again
	lastError *string       // nil keeps the previous one
}

const settleTasks = `
UPDATE core_queue q SET
	status = o.status, locked_until = NULL,
	available_at = CASE WHEN o.status = 'pending' THEN now() + o.wait ELSE q.available_at END,
	last_error = coalesce(o.last_error, q.last_error),
	completed_at = CASE WHEN o.status = 'completed' THEN now() END
FROM unnest($1::uuid[], $2::int[], $3::text[], $4::interval[], $5::text[])
	AS o (id, attempt, status, wait, last_error)
WHERE q.id = ANY ($1) AND q.id = o.id AND q.attempts = o.attempt AND q.locked_until IS NOT NULL`

// settle stores outcomes. It drops those of attempts that no longer have a lease.
func (q *Queue) settle(ctx context.Context, outcomes []outcome) error {
	n := len(outcomes)
	ids, attempts, statuses := make([]string, n), make([]int32, n), make([]string, n)
	waits, messages := make([]time.Duration, n), make([]*string, n)
	for i, o := range outcomes {
		ids[i], attempts[i], statuses[i] = o.id, o.attempt, string(o.status)
		waits[i], messages[i] = o.wait, o.lastError
	}
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	b.Queue(settleTasks, ids, attempts, statuses, waits, messages)
	return postgres.Send(ctx, q.pool, fmt.Sprintf("settle %d tasks", n), b)
}
