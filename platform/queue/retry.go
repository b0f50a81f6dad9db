package queue

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// DefaultMaxAttempts spreads retries over three to four hours.
const DefaultMaxAttempts = 12

// Retries start at 10 s and are at most an hour apart.
const (
	firstRetry = 10 * time.Second
	lastRetry  = time.Hour
)

// backoff returns the delay after a failed attempt: 10 s, doubled with each attempt up to an hour.
// Jitter of up to a fifth, subtracted at the hour and else added, spreads tasks that failed
// together.
func backoff(attempt int) time.Duration {
	wait := firstRetry << min(max(attempt-1, 0), 20)
	if wait >= lastRetry {
		return lastRetry - rand.N(lastRetry/5)
	}
	return min(wait+rand.N(wait/5), lastRetry)
}

// Retry makes a failed task pending, and allows one more attempt if none is left. It returns
// invalid_state for a task that has not failed.
func (q *Queue) Retry(ctx context.Context, id string) (Summary, error) {
	task, err := postgres.CollectFound(ctx, q.pool, "retry task", pgx.RowToStructByPos[Summary], `
UPDATE core_queue SET status = 'pending', available_at = now(), max_attempts = greatest(max_attempts, attempts + 1)
WHERE id = $1 AND status = 'failed' RETURNING `+summaryColumns, id)
	if err == nil {
		q.Wake()
		return task, nil
	}
	if domain.ErrorCode(err) != domain.CodeNotFound {
		return Summary{}, err
	}
	status, err := q.status(ctx, id)
	if err != nil {
		return Summary{}, err
	}
	return Summary{}, domain.Errorf(domain.CodeInvalidState, "Only a failed task can be tried again; this one is %s.", status)
}

// status returns the status of a task, or not_found.
func (q *Queue) status(ctx context.Context, id string) (Status, error) {
	return postgres.CollectFound(ctx, q.pool, "find task", pgx.RowTo[Status], "SELECT status FROM core_queue WHERE id = $1", id)
}
