package webhook

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Group is the consumer group that enqueues deliveries.
const Group = "docket.webhooks"

// Listener enqueues a delivery of each event to each subscription that wants it, in
// the messages' transaction, so that there is exactly one task per delivery. The attempt
// checks again whether the subscription is enabled.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: Group, HandleAll: func(ctx context.Context, tx pgx.Tx, events []event.Event) error {
		var all []Webhook
		batch := &pgx.Batch{}
		postgres.QueueGenericPlans(batch) // enqueue's arrays would be planned each time
		postgres.QueueCollect(batch, &all, scan, `SELECT `+columns+` FROM core_webhooks WHERE `+active+` ORDER BY id`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("read webhooks: %w", err)
		}
		var o outgoing
		for _, e := range events {
			wanting, err := wantedBy(ctx, tx, all, e)
			if err == nil && wanting != nil {
				err = o.add(wanting, e.ID, e.Name, newBody(e.Name, e.OccurredAt, e.Payload))
			}
			if err != nil {
				return err
			}
		}
		return o.enqueue(ctx, tx)
	}}
}

// wantedBy returns the ids of the subscriptions that want the event.
func wantedBy(ctx context.Context, tx pgx.Tx, all []Webhook, e event.Event) (wanting []string, err error) {
	where := sync.OnceValues(func() (scope.Resource, error) { return whereIs(ctx, tx, e) })
	for _, w := range all {
		wants, err := w.wants(e, where)
		if err != nil {
			return nil, err
		}
		if wants {
			wanting = append(wanting, w.ID)
		}
	}
	return wanting, nil
}

// whereIs returns the present scope of the event's target, or the zero Resource if it has none.
func whereIs(ctx context.Context, tx pgx.Tx, e event.Event) (scope.Resource, error) {
	where, args := `JOIN core_moderation_reports r ON (r.plugin_id, r.target_type, r.target_id) = (t.plugin_id, t.target_type, t.target_id)
		WHERE r.id = $1`, []any{e.ReportID}
	if e.ReportID == "" {
		content, _ := event.Decode[event.Content](e) // a plugin's own event may hold anything, and is then about nothing
		if !domain.Storable(content.ContentID) {
			return scope.Resource{}, nil
		}
		kind := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(e.Name, "content."), ".hidden"), ".unhidden")
		where, args = `WHERE (t.plugin_id, t.target_type, t.target_id) = ($1, $2, $3)`, []any{e.PluginID, kind, content.ContentID}
	}
	found, err := postgres.CollectFirst(ctx, tx, "scope of what "+e.ID+" is about", pgx.RowToStructByPos[scope.Resource],
		`SELECT coalesce(t.scope_family, ''), coalesce(t.scope_id, '') FROM core_moderation_targets t `+where, args...)
	if err != nil || found == nil {
		return scope.Resource{}, err
	}
	return *found, nil
}
