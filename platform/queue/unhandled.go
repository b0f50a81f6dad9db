package queue

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/fleet"
)

// isUnhandled is the SQL condition for Unhandled tasks in core_queue. A server of an early release,
// which core_servers does not list, takes its tasks long before the hour is over.
const isUnhandled = `(status = 'pending' AND available_at < now() - interval '1 hour'
	AND NOT EXISTS (SELECT FROM core_servers WHERE ` + fleet.Alive + ` AND plugin_id || ':' || name = ANY (handles)))`

// WarnUnhandled logs how many tasks of each name no server handles. It counts each task once.
func (q *Queue) WarnUnhandled(ctx context.Context) error {
	var task string
	var n int64
	return postgres.ForEach(ctx, q.pool, "warn about tasks that no server takes", []any{&task, &n}, func() error {
		q.config.Log.Warn().Str("task", task).Int64("tasks", n).Msg("no server handles these tasks, which have been due for an hour")
		return nil
	}, `WITH warned AS (
		UPDATE core_queue SET warned_at = now() WHERE warned_at IS NULL AND `+isUnhandled+` RETURNING plugin_id || ':' || name AS task)
	SELECT task, count(*) FROM warned GROUP BY task ORDER BY task`)
}

// Fail sets an unhandled task to failed. It returns invalid_state for any other task.
func (q *Queue) Fail(ctx context.Context, id string) (Summary, error) {
	task, err := postgres.CollectFound(ctx, q.pool, "fail task", pgx.RowToStructByPos[Summary], `
		UPDATE core_queue SET status = 'failed', last_error = 'No server handles this task; an administrator has failed it.'
		WHERE id = $1 AND `+isUnhandled+` RETURNING `+summaryColumns, id)
	if domain.ErrorCode(err) != domain.CodeNotFound {
		return task, err
	}
	if _, err := q.status(ctx, id); err != nil {
		return Summary{}, err
	}
	return Summary{}, domain.Errorf(domain.CodeInvalidState, "Only a task that no server has taken for an hour, and none handles, can be failed.")
}
