package subscribers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
)

// maxReason bounds the stored reason of a failure, in bytes; a panic's holds a stack.
const maxReason = 4000

// poisonTopic names what is kept of a group's failures.
func poisonTopic(group string) string { return outbox.Topic + ".poison." + group }

// poisonQueue is the publisher of Watermill's PoisonQueue middleware: it sets a
// message aside in the message's own transaction, so that the group either has it
// listed and goes on or has not moved.
type poisonQueue struct {
	group *group
	now   func() time.Time
}

const insertPoison = `INSERT INTO core_poison
	(id, consumer_group, event_id, name, payload, metadata, reason, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
	ON CONFLICT ON CONSTRAINT core_poison_event DO UPDATE SET reason = excluded.reason, updated_at = excluded.updated_at`

// Publish implements message.Publisher.
func (p poisonQueue) Publish(_ string, messages ...*message.Message) error {
	for _, msg := range messages {
		tx, ok := watermillsql.TxFromContext(msg.Context())
		if !ok {
			return errors.New("the message came without a transaction")
		}
		if err := p.group.inside(msg.Context(), tx, msg.UUID, func(tx pgx.Tx) error { return p.setAside(msg, tx) }); err != nil {
			return err
		}
		if p.group.condemned(msg.UUID) != nil {
			// A message behind it may cost the transaction too, which must not bring
			// this one back. The rest of the batch is read anew.
			if err := tx.Commit(); err != nil {
				return fmt.Errorf("set aside for good: %w", err)
			}
		}
		p.group.metrics.poisoned.WithLabelValues(p.group.Group).Inc()
		p.group.log.Error().Str("event_id", msg.UUID).Str("event", msg.Metadata.Get(outbox.MetaName)).
			Msg("event set aside; replay it when its cause is mended")
	}
	return nil
}

func (p poisonQueue) setAside(msg *message.Message, tx pgx.Tx) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("poison id: %w", err)
	}
	metadata, err := json.Marshal(ownMetadata(msg.Metadata))
	if err != nil {
		return fmt.Errorf("poison metadata: %w", err)
	}
	ctx, batch := msg.Context(), &pgx.Batch{}
	batch.Queue(insertPoison, id, p.group.Group, msg.UUID, msg.Metadata.Get(outbox.MetaName), []byte(msg.Payload),
		metadata, clipReason(msg.Metadata.Get(middleware.ReasonForPoisonedKey)), p.now().UTC())
	if position := p.group.position(msg); position != nil {
		batch.Queue(position.Query, position.Args...)
	}
	return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
}

// Close implements message.Publisher.
func (poisonQueue) Close() error { return nil }

// ownMetadata is what the message was published with: contract section 7's, without
// what its way here has added.
func ownMetadata(m message.Metadata) message.Metadata {
	own := make(message.Metadata, len(m))
	for key, value := range m {
		switch key {
		case metaOffset, metaTransaction, middleware.ReasonForPoisonedKey, middleware.PoisonedTopicKey,
			middleware.PoisonedHandlerKey, middleware.PoisonedSubscriberKey:
		default:
			own[key] = value
		}
	}
	return own
}

func clipReason(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")
	if len(s) > maxReason {
		s = strings.ToValidUTF8(s[:maxReason], "")
	}
	return s
}

var _ message.Publisher = poisonQueue{}

// replay hands a poisoned message to its group's listener once more.
func (g *group) replay(ctx context.Context, tx pgx.Tx, msg *message.Message) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	alone := func(ctx context.Context, tx pgx.Tx, e event.Event) error {
		handle, err := g.prepare(ctx, tx)
		if err != nil {
			return err
		}
		return handle(ctx, tx, e)
	}
	return g.attempt(ctx, tx, alone, fromMessage(msg), nil)
}
