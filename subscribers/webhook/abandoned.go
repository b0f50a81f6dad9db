package webhook

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// isAbandoned is the condition of a pending delivery d that nobody tries any more: a
// server that went away in its last attempt left no word of it, and the queue has
// failed the task. A task is no older than its delivery, and its payload is written
// as task does.
const isAbandoned = `(d.status = 'pending' AND NOT EXISTS (
	SELECT FROM core_queue q
	WHERE q.status IN ('pending', 'processing') AND q.created_at >= d.created_at
	  AND q.plugin_id = '` + permission.CorePlugin + `' AND q.name = '` + Task + `' AND q.payload::text = '{"deliveryId":"' || d.id || '"}'))`

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// failAbandoned makes failed of those deliveries that are abandoned.
func failAbandoned(ctx context.Context, db querier, deliveries []Delivery) error {
	var pending []string
	for _, d := range deliveries {
		if d.Status == "pending" {
			pending = append(pending, d.ID)
		}
	}
	if len(pending) == 0 {
		return nil
	}
	rows, err := db.Query(ctx, `SELECT id::text FROM core_webhook_deliveries d WHERE id = ANY ($1) AND `+isAbandoned, pending)
	if err != nil {
		return fmt.Errorf("look for abandoned deliveries: %w", err)
	}
	abandoned, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("look for abandoned deliveries: %w", err)
	}
	for i := range deliveries {
		if slices.Contains(abandoned, deliveries[i].ID) {
			deliveries[i].Status = "failed"
		}
	}
	return nil
}
