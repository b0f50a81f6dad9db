package webhook

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// isAbandoned is the condition of a pending delivery d that has no task left: a server
// crashed during its last attempt, so nobody recorded the outcome, and the queue failed
// the task. It relies on a task being no older than its delivery, and on the payload
// that newTask writes.
const isAbandoned = `(d.status = 'pending' AND NOT EXISTS (
	SELECT FROM core_queue q
	WHERE q.status IN ('pending', 'processing') AND q.created_at >= d.created_at
	  AND q.plugin_id = '` + permission.CorePlugin + `' AND q.name = '` + Task + `' AND q.payload::text = '{"deliveryId":"' || d.id || '"}'))`

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// failAbandoned sets the status of abandoned deliveries to failed.
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
