package projector

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// BuildStatus is the progress of a build.
type BuildStatus struct {
	Name      string       `json:"name"`
	Build     int          `json:"build"`
	Version   int          `json:"version"`
	State     string       `json:"state"` // building, live or retired
	Position  int64        `json:"position"`
	Behind    int64        `json:"behindEvents"`
	Lag       float64      `json:"lagSeconds"` // age of the oldest event that is not projected
	PausedAt  *domain.Time `json:"pausedAt"`
	PausedWhy *string      `json:"pausedWhy"`
}

// Status returns the progress of every build, by name, with the live one of each name first.
func Status(ctx context.Context, db postgres.Reader, now time.Time) ([]BuildStatus, error) {
	return postgres.Collect(ctx, db, "list projections", pgx.RowToStructByPos[BuildStatus],
		`SELECT name, build, version, state, p.position, greatest(log.last - p.position, 0),
			coalesce((SELECT greatest(extract(epoch FROM $1::timestamptz - e.occurred_at), 0) FROM core_moderation_log l
				JOIN core_moderation_report_events e USING (event_id) WHERE l.position = p.position + 1), 0)::float8,
			paused_at, paused_why
		FROM core_projections p CROSS JOIN (SELECT coalesce(max(position), 0) AS last FROM core_moderation_log) log
		ORDER BY name, state = 'live' DESC, build DESC`, now)
}
