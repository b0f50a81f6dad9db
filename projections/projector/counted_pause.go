package projector

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// poisonous reports whether an error is caused by the event, so that it would happen again.
func poisonous(err error) bool {
	var poison *eventstore.PoisonError
	var pg *pgconn.PgError
	return errors.As(err, &poison) ||
		errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23")) // data, constraints
}

// pause pauses a build before an event that it cannot project.
func (c *counting) pause(ctx context.Context, w followed, cause error) error {
	if w.measured {
		c.paused.WithLabelValues(w.Name).Set(1)
	}
	c.log.Error().Err(cause).Str("projection", w.Name).Int("build", w.Build.Build).Int64("position", w.Position+1).
		Msg("a projection is paused: an event cannot be projected")
	return postgres.Exec(ctx, c.pool, "pause "+w.Name, `UPDATE core_projections SET paused_at = now(), paused_why = $3 WHERE name = $1 AND build = $2`,
		w.Name, w.Build.Build, fmt.Sprintf("position %d: %v", w.Position+1, cause))
}
