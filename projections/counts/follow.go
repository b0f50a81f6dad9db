package counts

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

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/wake"
)

// The bounds of following the log.
const (
	followBatch = 2000 // events in one transaction
	movedBatch  = 100  // moved targets in one transaction
	// followEvery is how soon counts follow moves, and what another server sealed.
	followEvery = 250 * time.Millisecond
	followPause = 150 * time.Millisecond
)

// Follower keeps the counts up with the log. Any number of servers may run one; one of
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
		behind: promauto.With(metrics).NewGauge(prometheus.GaugeOpts{Name: "docket_counts_behind_events",
			Help: "Sealed events that the counts do not show yet."})}
}

// Wake asks for a pass soon; it never blocks.
func (f *Follower) Wake() { f.loop.Wake() }

// Run follows the log until ctx ends. Failures are logged and retried.
func (f *Follower) Run(ctx context.Context) {
	f.loop.Run(ctx, func(ctx context.Context) {
		if err := f.CatchUp(ctx); err != nil && ctx.Err() == nil {
			f.log.Error().Err(err).Msg("counts cannot follow the log")
		}
	})
}

// CatchUp follows the log to its end, unless another server does. The first time, it
// counts all reports.
func (f *Follower) CatchUp(ctx context.Context) error {
	for {
		begun, more, err := f.follow(ctx)
		switch {
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

// Who changes the counts holds an advisory lock until the end of the transaction.
const (
	tryLock     = `SELECT pg_try_advisory_xact_lock(hashtextextended('docket:counts', 0))`
	waitForLock = `SELECT pg_advisory_xact_lock(hashtextextended('docket:counts', 0))`
)

const positionOf = `SELECT position FROM core_projections WHERE name = '` + Name + `' AND build = 1`

// follow counts one batch of the log and of moves. begun is false before the first rebuild,
// and true while another server works.
func (f *Follower) follow(ctx context.Context) (begun, more bool, err error) {
	err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, tryLock).Scan(&mine); err != nil || !mine {
			begun = true
			return err
		}
		var at int64
		err := tx.QueryRow(ctx, positionOf).Scan(&at)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		begun = true
		end, err := eventstore.LastPosition(ctx, tx)
		if err != nil {
			return err
		}
		to := min(end, at+followBatch)
		f.behind.Set(float64(max(end-to, 0)))
		ids, err := collect(ctx, tx, `SELECT DISTINCT e.report_id::text FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
			WHERE l.position > $1 AND l.position <= $2`, at, to)
		if err != nil {
			return err
		}
		moved, err := collect(ctx, tx, `DELETE FROM core_moderation_moves WHERE id IN (SELECT id FROM core_moderation_moves ORDER BY id LIMIT $1)
			RETURNING json_build_array(plugin_id, target_type, target_id)::text`, movedBatch)
		if err != nil {
			return err
		}
		more = to < end || len(moved) == movedBatch
		if to <= at && len(moved) == 0 {
			return nil
		}
		// This must be a separate statement: it sees where the targets are that moved.
		of, err := collect(ctx, tx, `SELECT r.id::text FROM (SELECT DISTINCT m::jsonb AS t FROM unnest($1::text[]) m) m
			JOIN core_moderation_reports r ON r.plugin_id = m.t ->> 0 AND r.target_type = m.t ->> 1 AND r.target_id = m.t ->> 2`, moved)
		if err != nil {
			return err
		}
		if err := recount(ctx, tx, append(ids, of...)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE core_projections SET position = $1, heartbeat_at = now() WHERE name = $2 AND build = 1`, max(to, at), Name)
		return err
	})
	if err != nil {
		return begun, more, fmt.Errorf("follow the log: %w", err)
	}
	return begun, more, nil
}

func collect(ctx context.Context, tx pgx.Tx, sql string, args ...any) ([]string, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
