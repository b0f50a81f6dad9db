package webhook

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// isAbandoned is the condition of a pending delivery d that has no task left: its server
// crashed during the last attempt without recording the outcome, and the queue failed the
// task. The condition relies on a task being no older than its delivery, and on the payload
// that newTask writes.
const isAbandoned = `(d.status = 'pending' AND NOT EXISTS (
	SELECT FROM core_queue q
	WHERE q.status IN ('pending', 'processing') AND q.created_at >= d.created_at
	  AND q.plugin_id = '` + permission.CorePlugin + `' AND q.name = '` + Task + `' AND q.payload::text = '{"deliveryId":"' || d.id || '"}'))`

// failAbandoned sets the status of abandoned deliveries to failed.
func failAbandoned(ctx context.Context, db postgres.Querier, deliveries []Delivery) error {
	var pending []string
	for _, d := range deliveries {
		if d.Status == "pending" {
			pending = append(pending, d.ID)
		}
	}
	if len(pending) == 0 {
		return nil
	}
	abandoned, err := postgres.Collect(ctx, db, "look for abandoned deliveries", pgx.RowTo[string],
		`SELECT id::text FROM core_webhook_deliveries d WHERE id = ANY ($1) AND `+isAbandoned, pending)
	if err != nil {
		return err
	}
	for i := range deliveries {
		if slices.Contains(abandoned, deliveries[i].ID) {
			deliveries[i].Status = "failed"
		}
	}
	return nil
}
