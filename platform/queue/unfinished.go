package queue

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Unfinished returns the payloads of a name's tasks that are pending or processing. It reads
// the index core_queue_by_status.
func (q *Queue) Unfinished(ctx context.Context, name string) ([]json.RawMessage, error) {
	return postgres.Collect(ctx, q.pool, "find unfinished tasks", pgx.RowTo[json.RawMessage],
		`SELECT payload FROM core_queue WHERE status IN ('pending', 'processing') AND name = $1`, name)
}
