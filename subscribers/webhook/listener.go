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
// the message's transaction, so that there is exactly one task per delivery. The
// subscriptions are read once per batch; the attempt checks again whether the subscription
// is enabled.
func (s *Store) Listener() event.Listener {
	return event.Listener{Group: Group, Prepare: func(ctx context.Context, tx pgx.Tx) (event.Handler, error) {
		var all []Webhook
		batch := &pgx.Batch{}
		postgres.QueueGenericPlans(batch) // enqueue's arrays would be planned with each event
		postgres.QueueCollect(batch, &all, scan, `SELECT `+columns+` FROM core_webhooks WHERE `+active+` ORDER BY id`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return nil, fmt.Errorf("read webhooks: %w", err)
		}
		return func(ctx context.Context, tx pgx.Tx, e event.Event) error { return s.enqueueFor(ctx, tx, all, e) }, nil
	}}
}

func (s *Store) enqueueFor(ctx context.Context, tx pgx.Tx, all []Webhook, e event.Event) error {
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
	var wanting []string
	for _, w := range all {
		wants, err := w.wants(e, where)
		if err != nil {
			return err
		}
		if wants {
			wanting = append(wanting, w.ID)
		}
	}
	if len(wanting) == 0 {
		return nil
	}
	return enqueue(ctx, tx, s.now(), wanting, e.ID, e.Name, newBody(e.Name, e.OccurredAt, e.Payload))
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
