package counts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/follow"
)

// Name is the name of this projection in its status, verification and rebuild.
const Name = "counts"

// movedBatch is the number of moved targets in one transaction.
const movedBatch = 100

// NewFollower returns a follower of the log, and of the moves of targets, that keeps the
// counts.
func NewFollower(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer) *follow.Follower {
	return follow.New(follow.Projection{Name: Name, Batch: 2000, Every: 250 * time.Millisecond, Pause: 150 * time.Millisecond,
		Apply: apply, Rebuild: Rebuild}, pool, log, metrics)
}

// apply counts again the reports of events and of targets that have moved.
func apply(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error) {
	ids, err := collect(ctx, tx, `SELECT DISTINCT e.report_id::text FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 AND l.position <= $2`, after, upTo)
	if err != nil {
		return false, err
	}
	moved, err := collect(ctx, tx, `DELETE FROM core_moderation_moves WHERE id IN (SELECT id FROM core_moderation_moves ORDER BY id LIMIT $1)
		RETURNING json_build_array(plugin_id, target_type, target_id)::text`, movedBatch)
	if err != nil {
		return false, err
	}
	if len(moved) > 0 {
		// This must be a separate statement, which sees the present scope of the targets.
		reports, err := collect(ctx, tx, `SELECT r.id::text FROM (SELECT DISTINCT m::jsonb AS t FROM unnest($1::text[]) m) m
			JOIN core_moderation_reports r ON r.plugin_id = m.t ->> 0 AND r.target_type = m.t ->> 1 AND r.target_id = m.t ->> 2`, moved)
		if err != nil {
			return false, err
		}
		ids = append(ids, reports...)
	}
	return len(moved) == movedBatch, recount(ctx, tx, ids)
}

func collect(ctx context.Context, tx pgx.Tx, sql string, args ...any) ([]string, error) {
	return postgres.Collect(ctx, tx, "read what has changed", pgx.RowTo[string], sql, args...)
}
