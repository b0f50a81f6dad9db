package cases

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore/wake"
)

// Name is what status, verification and rebuild call this projection.
const Name = "cases"

// The bounds of following the log.
const (
	// followBatch is how many events, and how many targets, one transaction is about.
	followBatch = 500
	// followEvery is how soon cases follow what another server sealed.
	followEvery = 250 * time.Millisecond
	// followPause lets the reports of a crowd gather: a case is read whole each time.
	followPause = 250 * time.Millisecond
)

// Follower keeps the cases up with the log. Any number of servers may run one; one of
// them works at a time.
type Follower struct {
	pool   *pgxpool.Pool
	log    zerolog.Logger
	loop   *wake.Loop
	behind prometheus.Gauge
}

// NewFollower makes a follower that does nothing until Run.
func NewFollower(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer) *Follower {
	return &Follower{pool: pool, log: log, loop: wake.NewLoop(followEvery, followPause),
		behind: promauto.With(metrics).NewGauge(prometheus.GaugeOpts{Name: "docket_cases_behind_events",
			Help: "Sealed events that the cases do not show yet."})}
}

// Wake asks for a pass soon; it never blocks.
func (f *Follower) Wake() { f.loop.Wake() }

// Run follows the log until ctx ends. Failures are logged and retried.
func (f *Follower) Run(ctx context.Context) {
	f.loop.Run(ctx, func(ctx context.Context) {
		if err := f.CatchUp(ctx); err != nil && ctx.Err() == nil {
			f.log.Error().Err(err).Msg("cases cannot follow the log")
		}
	})
}

// errElsewhere is returned while another server works on the cases.
var errElsewhere = errors.New("another server works on the cases")

// CatchUp follows the log to its end, unless another server does. The first time, it
// makes all cases from the reports that are open.
func (f *Follower) CatchUp(ctx context.Context) error {
	for {
		begun, more, err := f.follow(ctx)
		switch {
		case errors.Is(err, errElsewhere):
			return nil
		case err != nil:
			return err
		case !begun:
			if err := Rebuild(ctx, f.pool, nil); err != nil {
				return err
			}
		case !more:
			return nil
		}
	}
}

// Whoever changes cases holds an advisory lock until the end of the transaction: the log
// is followed by one server at a time, and by none during a batch of a rebuild.
const (
	tryLock     = `SELECT pg_try_advisory_xact_lock(hashtextextended('docket:cases', 0))`
	waitForLock = `SELECT pg_advisory_xact_lock(hashtextextended('docket:cases', 0))`
)

// positionOf reads how far the cases follow the log; no row before they do.
const positionOf = `SELECT position FROM core_projections WHERE name = '` + Name + `' AND build = 1`

// touched are the targets whose cases the events between two positions may change: those
// of the reports, and what else is reported by people whose record a decision changes, or
// written by people whose past it changes.
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

// follow applies one batch of the log. begun is false while there are no cases at all.
func (f *Follower) follow(ctx context.Context) (begun, more bool, err error) {
	err = alone(ctx, f.pool, func(tx pgx.Tx) error {
		var at, end int64
		err := tx.QueryRow(ctx, positionOf).Scan(&at)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		begun = true
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM core_moderation_log`).Scan(&end); err != nil {
			return err
		}
		to := min(end, at+followBatch)
		f.behind.Set(float64(end - to))
		if to <= at {
			return nil
		}
		more = to < end
		rows, err := tx.Query(ctx, touched, at, to)
		if err != nil {
			return err
		}
		targets, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Target])
		if err != nil {
			return err
		}
		if err := refresh(ctx, tx, targets); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE core_projections SET position = $1, heartbeat_at = now() WHERE name = $2 AND build = 1`, to, Name)
		return err
	})
	if err != nil {
		return begun, more, fmt.Errorf("follow the log: %w", err)
	}
	return begun, more, nil
}

// alone runs fn in a transaction in which nobody else changes cases, or returns errElsewhere.
func alone(ctx context.Context, pool *pgxpool.Pool, fn func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, tryLock).Scan(&mine); err != nil {
			return err
		}
		if !mine {
			return errElsewhere
		}
		return fn(tx)
	})
}
