package queue

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Unfinished returns the payloads of a name's tasks that are pending or processing. It reads
// the index core_queue_by_status.
func (q *Queue) Unfinished(ctx context.Context, name string) ([]json.RawMessage, error) {
	rows, err := q.pool.Query(ctx, `SELECT payload FROM core_queue WHERE status IN ('pending', 'processing') AND name = $1`, name)
	if err != nil {
		return nil, fmt.Errorf("find unfinished tasks: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
}
