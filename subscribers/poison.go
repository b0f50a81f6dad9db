package subscribers

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// maxReason bounds the stored reason of a failure, in bytes. The reason of a panic includes a stack.
const maxReason = 4000

const insertPoison = `INSERT INTO core_poison
	(id, consumer_group, event_id, name, payload, metadata, reason, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
	ON CONFLICT ON CONSTRAINT core_poison_event DO UPDATE SET reason = excluded.reason, updated_at = excluded.updated_at`

// setAside stores an event as a dead letter in the event's own transaction: either the event is
// stored and the group continues, or neither.
func (g *group) setAside(ctx context.Context, tx pgx.Tx, r received, cause error) error {
	if err := postgres.Exec(ctx, tx, "set an event aside", insertPoison, uuid.Must(uuid.NewV7()), g.Group, r.ID, r.Name, r.Payload, r.metadata,
		clipReason(cause.Error()), time.Now().UTC()); err != nil {
		return err
	}
	g.router.metrics.poisoned.WithLabelValues(g.Group).Inc()
	g.log.Error().Str("event_id", r.ID).Str("event", r.Name).Msg("event set aside; replay it once its cause is fixed")
	return nil
}

func clipReason(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")
	if len(s) > maxReason {
		s = strings.ToValidUTF8(s[:maxReason], "")
	}
	return s
}
