package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

const insertTasks = `
INSERT INTO core_queue (id, plugin_id, name, queue, status, payload, priority, attempts, max_attempts, available_at, created_at)
SELECT id, plugin_id, name, queue, 'pending', payload::json, priority, 0, max_attempts, now() + delay, now()
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::int[], $8::interval[])
	AS t (id, plugin_id, name, queue, payload, priority, max_attempts, delay)`

// Enqueue adds the insert of tasks to a batch that the caller sends within its transaction; the
// tasks exist if that commits. Its errors are about the tasks only, and leave the batch unchanged.
func Enqueue(batch *pgx.Batch, tasks ...Task) error {
	if len(tasks) == 0 {
		return nil
	}
	args, err := insertArgs(tasks)
	if err != nil {
		return err
	}
	batch.Queue(insertTasks, args...)
	return nil
}

// EnqueueTx inserts tasks in the caller's transaction in one round trip.
func EnqueueTx(ctx context.Context, tx postgres.Execer, tasks ...Task) error {
	if len(tasks) == 0 {
		return nil
	}
	args, err := insertArgs(tasks)
	if err != nil {
		return err
	}
	return postgres.Exec(ctx, tx, fmt.Sprintf("enqueue %d tasks", len(tasks)), insertTasks, args...)
}

func insertArgs(tasks []Task) ([]any, error) {
	n := len(tasks)
	ids, plugins, taskNames := make([]string, n), make([]string, n), make([]string, n)
	queues, payloads := make([]string, n), make([]string, n)
	priorities, maxAttempts, delays := make([]int16, n), make([]int32, n), make([]time.Duration, n)
	for i, t := range tasks {
		t, payload, err := t.complete()
		if err != nil {
			return nil, err
		}
		ids[i], plugins[i], taskNames[i], queues[i] = t.ID, t.PluginID, t.Name, string(t.Queue)
		payloads[i], priorities[i], maxAttempts[i], delays[i] = payload, t.Priority, int32(t.MaxAttempts), t.Delay
	}
	return []any{ids, plugins, taskNames, queues, payloads, priorities, maxAttempts, delays}, nil
}
