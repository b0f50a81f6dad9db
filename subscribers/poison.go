package subscribers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
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

// Poisoned is a dead letter of a group, without its payload, which admins of integrations may not
// see.
type Poisoned struct {
	ID        string      `json:"id"`
	Group     string      `json:"group"`
	EventID   string      `json:"eventId"`
	Name      string      `json:"name"`
	Reason    string      `json:"reason"`
	Replays   int         `json:"replays"` // that failed
	CreatedAt domain.Time `json:"createdAt"`
	UpdatedAt domain.Time `json:"updatedAt"`
}

// PoisonList pages dead letters, the newest first.
var PoisonList = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc}},
	ID:        paging.ID{Expr: "id", Kind: paging.UUID},
}

// ListPoisoned returns a page of the dead letters of one group, or of all groups for "".
func (r *Router) ListPoisoned(ctx context.Context, group string, request paging.Request) (paging.Page[Poisoned], error) {
	return sqlpage.List[Poisoned]{Task: "list poisoned events",
		SQL: `SELECT id, consumer_group, event_id, name, reason, replays, created_at, updated_at
			FROM core_poison WHERE ($1 = '' OR consumer_group = $1)`, Args: []any{group}, Scan: pgx.RowToStructByPos[Poisoned],
		Key: func(p Poisoned) paging.Position { return paging.At(time.Time(p.CreatedAt), p.ID) }}.Read(ctx, r.pool, request)
}

// Replay passes a dead letter to its listener again and, if that succeeds, removes it in the same
// transaction, so the second of two concurrent calls returns not_found. It returns action_failed if
// the listener fails again or its group is no longer registered.
func (r *Router) Replay(ctx context.Context, id string) error {
	if _, err := uuid.Parse(id); err != nil {
		return domain.NotFound()
	}
	var failed error
	err := postgres.Transact(ctx, r.pool, "replay poisoned event "+id, func(tx pgx.Tx) error {
		name, msg, err := lockPoisoned(ctx, tx, id)
		if err != nil {
			return err
		}
		g := r.groups[name]
		if g == nil {
			return &domain.Error{Code: domain.CodeActionFailed, Message: "The group " + name + " is no longer registered."}
		}
		if failed = g.replay(ctx, tx, msg); failed == nil {
			_, err = tx.Exec(ctx, `DELETE FROM core_poison WHERE id = $1`, id)
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE core_poison SET replays = replays + 1, reason = $2, updated_at = $3 WHERE id = $1`,
			id, clipReason(failed.Error()), r.config.Now().UTC())
		return err
	})
	if err == nil && failed != nil {
		return &domain.Error{Code: domain.CodeActionFailed, Message: "The listener failed on the event again; the list shows the reason.", Cause: failed}
	}
	return err
}

func lockPoisoned(ctx context.Context, tx pgx.Tx, id string) (group string, msg *message.Message, err error) {
	var eventID string
	var payload, metadata []byte
	err = tx.QueryRow(ctx, `SELECT consumer_group, event_id, payload, metadata FROM core_poison WHERE id = $1 FOR UPDATE`, id).
		Scan(&group, &eventID, &payload, &metadata)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, domain.NotFound()
	}
	if err != nil {
		return "", nil, err
	}
	msg = message.NewMessage(eventID, payload)
	if err := json.Unmarshal(metadata, &msg.Metadata); err != nil {
		return "", nil, fmt.Errorf("metadata: %w", err)
	}
	return group, msg, nil
}
