package cases

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
const Name = "cases"

// batch is the number of events, or of targets, in one transaction.
const batch = 500

// NewFollower returns a follower of the log that keeps the cases. Its pause coalesces many
// reports of one target, since each pass reads the whole case.
func NewFollower(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer) *follow.Follower {
	return follow.New(follow.Projection{Name: Name, Batch: batch, Every: 250 * time.Millisecond, Pause: 250 * time.Millisecond,
		Apply: apply, Rebuild: Rebuild}, pool, log, metrics)
}

// touched selects the targets whose cases the events between two positions may change: those
// of the reports, and after a decision also the others that the same reporter has reported
// or the same author has written, since it changes the records of both.
const touched = `WITH e AS (SELECT e.report_id, e.type FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
		WHERE l.position > $1 AND l.position <= $2),
	r AS (SELECT r.id, r.plugin_id, r.target_type, r.target_id, r.reporter_id,
			e.type IN ('resolved', 'reopened', 'appeal_decided') AS decided FROM e JOIN core_moderation_reports r ON r.id = e.report_id)
	SELECT plugin_id, target_type, target_id FROM r
	UNION SELECT o.plugin_id, o.target_type, o.target_id
		FROM (SELECT DISTINCT reporter_id FROM r WHERE decided AND reporter_id IS NOT NULL) p
		JOIN core_moderation_reports o ON o.reporter_id = p.reporter_id AND o.status <> 'done'
	UNION SELECT c.plugin_id, c.target_type, c.target_id
		FROM (SELECT DISTINCT r.plugin_id, n ->> 'id' AS author FROM r JOIN core_moderation_reports s ON s.id = r.id,
			json_array_elements(CASE json_typeof(s.snapshot -> 'authors') WHEN 'array' THEN s.snapshot -> 'authors' ELSE '[]' END) n WHERE r.decided) w
		JOIN core_moderation_cases c ON c.plugin_id = w.plugin_id AND c.authors @> ARRAY[w.author]
	ORDER BY 1, 2, 3`

// apply refreshes the cases that events may have changed.
func apply(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error) {
	if upTo == after {
		return false, nil
	}
	targets, err := postgres.Collect(ctx, tx, "find touched cases", pgx.RowToStructByPos[Target], touched, after, upTo)
	if err != nil {
		return false, err
	}
	return false, refresh(ctx, tx, targets)
}
