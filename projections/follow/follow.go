// Package follow keeps a table up to date with the sealed log if its rows are derived from
// the rows of reports: the events only say which reports have changed, so an event may be
// applied twice. Package projector is for tables that count each event once.
package follow

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

// Projection is a table that follows the log.
type Projection struct {
	Name  string // in core_projections, in its lock and in its metric
	Batch int64  // events in one transaction
	// Every is how soon events that another server sealed are applied. Pause is the least time
	// between two passes, in which events gather under load.
	Every, Pause time.Duration
	// Apply brings the table up to date with the events after one position and up to
	// another, which are equal if no event is new. It reports whether there is other work
	// to do.
	Apply func(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error)
	// Rebuild fills the table for the first time and stores its position.
	Rebuild func(ctx context.Context, pool *pgxpool.Pool, progress func(done, total int64)) error
}

// Follower keeps a projection up with the log. Any number of servers may run one; one of
// them works at a time.
type Follower struct {
	projection Projection
	pool       *pgxpool.Pool
	log        zerolog.Logger
	loop       *wake.Loop
	behind     prometheus.Gauge
}

// New returns a follower. It does nothing until Run.
func New(p Projection, pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer) *Follower {
	return &Follower{projection: p, pool: pool, log: log, loop: wake.NewLoop(p.Every, p.Pause),
		behind: promauto.With(metrics).NewGauge(prometheus.GaugeOpts{Name: "docket_" + p.Name + "_behind_events",
			Help: "Sealed events that the " + p.Name + " do not show yet."})}
}

// Wake asks for a pass soon; it never blocks.
func (f *Follower) Wake() { f.loop.Wake() }

// Run follows the log until ctx ends. Failures are logged and retried.
func (f *Follower) Run(ctx context.Context) {
	f.loop.Run(ctx, func(ctx context.Context) {
		if err := f.CatchUp(ctx); err != nil && ctx.Err() == nil {
			f.log.Error().Err(err).Str("projection", f.projection.Name).Msg("a projection cannot follow the log")
		}
	})
}

// CatchUp follows the log to its end, unless another server is doing so. The first time, it
// rebuilds the projection.
func (f *Follower) CatchUp(ctx context.Context) error {
	for {
		begun, more, err := f.follow(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("follow the log with %s: %w", f.projection.Name, err)
		case !begun:
			if err := f.projection.Rebuild(ctx, f.pool, nil); err != nil {
				return err
			}
		case !more:
			return nil
		}
	}
}

// lockKey is the advisory lock of the projection $1. A transaction that changes the table
// of the projection holds it until the end.
const lockKey = `hashtextextended('docket:' || $1, 0)`

// Lock waits until no other transaction changes the table of the projection, without the
// usual lock timeout, because a rebuild on another server may take long.
func Lock(ctx context.Context, tx pgx.Tx, name string) error {
	b := &pgx.Batch{}
	QueueLock(b, name)
	return tx.SendBatch(ctx, b).Close()
}

// QueueLock is Lock in a batch.
func QueueLock(b *pgx.Batch, name string) {
	b.Queue(`SET LOCAL lock_timeout = 0`)
	b.Queue(`SELECT pg_advisory_xact_lock(`+lockKey+`)`, name)
	b.Queue(`SET LOCAL lock_timeout TO DEFAULT`) // of the connection
}

// Built stores that a rebuild is complete, which shows the events up to a position. Servers
// follow the log from there, or from a later position that they have reached.
func Built(ctx context.Context, pool *pgxpool.Pool, name string, upTo int64) error {
	b := &pgx.Batch{}
	// It has one build only. A row with another number would have it built again for ever.
	b.Queue(`DELETE FROM core_projections WHERE name = $1 AND build <> 1`, name)
	// Without a target, since two servers that insert it at once may break any unique index.
	b.Queue(`INSERT INTO core_projections (name, build, version, state, position) VALUES ($1, 1, 1, 'live', $2) ON CONFLICT DO NOTHING`, name, upTo)
	b.Queue(`UPDATE core_projections SET position = greatest(position, $2), heartbeat_at = now() WHERE name = $1 AND build = 1`, name, upTo)
	return pool.SendBatch(ctx, b).Close()
}

// follow applies one batch. begun is false before the first rebuild, and true while another
// server has the lock.
func (f *Follower) follow(ctx context.Context) (begun, more bool, err error) {
	p := f.projection
	err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(`+lockKey+`)`, p.Name).Scan(&mine); err != nil || !mine {
			begun = true
			return err
		}
		var at int64
		err := tx.QueryRow(ctx, `SELECT position FROM core_projections WHERE name = $1 AND build = 1`, p.Name).Scan(&at)
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
		upTo := max(at, min(end, at+p.Batch))
		f.behind.Set(float64(max(end-upTo, 0)))
		if more, err = p.Apply(ctx, tx, at, upTo); err != nil {
			return err
		}
		more = more || upTo < end
		if upTo == at {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE core_projections SET position = $2, heartbeat_at = now() WHERE name = $1 AND build = 1`, p.Name, upTo)
		return err
	})
	return begun, more, err
}
