package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

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
	var resource *scope.Resource
	where := func() (scope.Resource, error) {
		if resource == nil {
			found, err := whereIs(ctx, tx, e)
			if err != nil {
				return scope.Resource{}, err
			}
			resource = &found
		}
		return *resource, nil
	}
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

// whereIs returns the present scope resource of the event's target, or the zero
// Resource if it has none.
func whereIs(ctx context.Context, tx pgx.Tx, e event.Event) (r scope.Resource, err error) {
	const selected = `SELECT coalesce(t.scope_family, ''), coalesce(t.scope_id, '') FROM core_moderation_targets t `
	if e.ReportID != "" {
		err = tx.QueryRow(ctx, selected+`JOIN core_moderation_reports r
			ON (r.plugin_id, r.target_type, r.target_id) = (t.plugin_id, t.target_type, t.target_id) WHERE r.id = $1`, e.ReportID).Scan(&r.Family, &r.ID)
	} else {
		var content event.Content
		if content, err = event.Decode[event.Content](e); err != nil {
			return r, err
		}
		kind := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(e.Name, "content."), ".hidden"), ".unhidden")
		err = tx.QueryRow(ctx, selected+`WHERE (t.plugin_id, t.target_type, t.target_id) = ($1, $2, $3)`,
			e.PluginID, kind, content.ContentID).Scan(&r.Family, &r.ID)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return scope.Resource{}, nil
	}
	if err != nil {
		return r, fmt.Errorf("scope of what %s is about: %w", e.ID, err)
	}
	return r, nil
}
