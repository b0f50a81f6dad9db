package queue

import (
	"context"
	"time"

	"github.com/docketmod/docket/eventstore/postgres"
)

// KeepCompleted is how long a completed task stays in the list. Failed tasks stay.
const KeepCompleted = 7 * 24 * time.Hour

// trimTasks deletes old completed tasks. A task is created before it is completed, so indexes that
// begin with its status or its creation find the old ones.
const trimTasks = `
DELETE FROM core_queue WHERE id = ANY (ARRAY(
	SELECT id FROM core_queue
	WHERE status = 'completed' AND created_at < now() - $1::interval AND completed_at < now() - $1::interval
	ORDER BY created_at
	LIMIT $2
	FOR UPDATE SKIP LOCKED))`

// Trim deletes old completed tasks in batches and returns how many it deleted.
func (q *Queue) Trim(ctx context.Context) (int64, error) {
	const batch = 5000
	return postgres.ExecAll(ctx, q.pool, "trim completed tasks", batch, trimTasks, KeepCompleted, batch)
}
