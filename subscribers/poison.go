package subscribers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
)

// maxReason bounds the stored reason of a failure, in bytes. The reason of a panic includes a stack.
const maxReason = 4000

const insertPoison = `INSERT INTO core_poison
	(id, consumer_group, event_id, name, payload, metadata, reason, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
	ON CONFLICT ON CONSTRAINT core_poison_event DO UPDATE SET reason = excluded.reason, updated_at = excluded.updated_at`

// setAside stores a message as a dead letter in the message's own transaction: either the message
// is stored and the group continues, or neither. It ends the batch, so that a later message that
// loses the transaction does not undo it.
func (g *group) setAside(msg *message.Message, cause error) error {
	metadata, err := json.Marshal(msg.Metadata)
	if err != nil {
		return fmt.Errorf("poison metadata: %w", err)
	}
	name, d := msg.Metadata.Get(outbox.MetaName), deliveryOf(msg)
	err = d.use(msg.Context(), func(tx pgx.Tx) error {
		d.last = true
		_, err := tx.Exec(msg.Context(), insertPoison, uuid.Must(uuid.NewV7()), g.Group, msg.UUID, name, []byte(msg.Payload), metadata, clipReason(cause.Error()), g.now().UTC())
		return err
	})
	if err != nil {
		return err
	}
	g.metrics.poisoned.WithLabelValues(g.Group).Inc()
	g.log.Error().Str("event_id", msg.UUID).Str("event", name).Msg("event set aside; replay it once its cause is fixed")
	return nil
}

func clipReason(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")
	if len(s) > maxReason {
		s = strings.ToValidUTF8(s[:maxReason], "")
	}
	return s
}

// replay passes a dead letter to its group's listener again.
func (g *group) replay(ctx context.Context, tx pgx.Tx, msg *message.Message) error {
	return g.attempt(ctx, tx, &batch{}, []event.Event{fromMessage(msg)}, nil)
}
