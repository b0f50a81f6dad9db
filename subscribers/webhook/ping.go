package webhook

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Ping is the event of a test delivery.
const Ping = "webhook.ping"

// SendPing sends a test event to a subscription, enabled or not.
func (s *Store) SendPing(ctx context.Context, webhookID string) error {
	if _, err := s.Get(ctx, webhookID); err != nil {
		return err
	}
	id := uuid.Must(uuid.NewV7())
	var o outgoing
	if err := o.add([]string{webhookID}, id.String(), Ping, newBody(Ping, s.now(), json.RawMessage(`{}`))); err != nil {
		return err
	}
	return s.enqueued(postgres.Transact(ctx, s.pool, "ping", func(tx pgx.Tx) error { return o.enqueue(ctx, tx) }))
}
