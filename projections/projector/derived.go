package projector

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Derived is a projection whose rows are derived from those of reports: events only say which
// reports have changed. K is the type of the key by which rows are stored and compared: that of
// a row itself, or of the report that several rows belong to.
type Derived[K any] struct {
	Name  string
	Batch int64 // events in one transaction
	// Apply updates the projection with the events after one position and up to another, which are
	// equal if no event is new. It reports whether there is other work to do.
	Apply func(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error)
	// Keys returns the next limit keys after one, in order; the zero K comes before all.
	Keys func(ctx context.Context, db postgres.Querier, after K, limit int) ([]K, error)
	Size int    // keys in one transaction, for which Apply waits
	Rows string // selects about how many keys there are
	// Store stores the right rows of the keys, and deletes those without a source. The transaction
	// holds the projection's lock.
	Store func(ctx context.Context, tx pgx.Tx, keys []K) error
	// Compare returns the keys whose stored rows are wrong.
	Compare func(ctx context.Context, tx pgx.Tx, keys []K) (wrong []K, err error)
	// Describe describes the difference for a key.
	Describe func(K) string
	// Mend, if not nil, corrects before a rebuild what Store does not, and Miscounted counts that.
	Mend       func(ctx context.Context, pool *pgxpool.Pool) error
	Miscounted func(ctx context.Context, pool *pgxpool.Pool) (int64, error)
}

// following is a Derived with any key type, or a Folded.
type following interface {
	Projection
	catchUp(ctx context.Context, pool *pgxpool.Pool, behind prometheus.Gauge) error
}

// ID implements Projection.
func (d Derived[K]) ID() string { return d.Name }

// catchUp follows the log to its end, unless another server does. The first time, it rebuilds the projection.
func (d Derived[K]) catchUp(ctx context.Context, pool *pgxpool.Pool, behind prometheus.Gauge) error {
	for {
		more, err := follow(ctx, pool, d.Name, d.Batch, behind, d.Apply)
		switch {
		case errors.Is(err, ErrNotBuilt):
			if _, err := d.Rebuild(ctx, pool, Options{}); err != nil {
				return err
			}
		case err != nil:
			return fmt.Errorf("follow the log with %s: %w", d.Name, err)
		case !more:
			return nil
		}
	}
}

// follow applies one batch and stores the position with it. It does nothing while another server holds the lock. It
// returns ErrNotBuilt if the projection has no position yet.
func follow(ctx context.Context, pool *pgxpool.Pool, name string, batch int64, behind prometheus.Gauge,
	apply func(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error)) (more bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(`+lockKey+`)`, name).Scan(&mine); err != nil || !mine {
			return err
		}
		at, err := positionOf(ctx, tx, name)
		if err != nil {
			return err
		}
		end, err := eventstore.LastPosition(ctx, tx)
		if err != nil {
			return err
		}
		upTo := max(at, min(end, at+batch))
		behind.Set(float64(max(end-upTo, 0)))
		if more, err = apply(ctx, tx, at, upTo); err != nil {
			return err
		}
		more = more || upTo < end
		if upTo == at {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE core_projections SET position = $2, heartbeat_at = now() WHERE name = $1 AND build = 1`, name, upTo)
		return err
	})
	return more, err
}

// positionOf returns the position up to which a Derived or a Folded has applied the log, or ErrNotBuilt.
func positionOf(ctx context.Context, db postgres.Querier, name string) (int64, error) {
	at, err := postgres.CollectOne(ctx, db, "read the position of "+name, pgx.RowTo[int64],
		`SELECT position FROM core_projections WHERE name = $1 AND build = 1`, name)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotBuilt
	}
	return at, err
}

// lockKey is the SQL for the advisory lock of the projection $1. A transaction that changes the projection's table
// holds it until the end.
const lockKey = `hashtextextended('docket:' || $1, 0)`

// Lock waits until no other transaction changes the projection's table. It has no timeout, because a rebuild on another
// server may take long.
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

// Rebuild stores all rows again. If the first rebuild is interrupted it starts over, since nothing follows the log
// before it is complete.
func (d Derived[K]) Rebuild(ctx context.Context, pool *pgxpool.Pool, o Options) (Result, error) {
	// Servers apply every event after this position, whether or not the rebuild saw it.
	end, err := eventstore.LastPosition(ctx, pool)
	if err == nil && d.Mend != nil {
		err = d.Mend(ctx, pool)
	}
	if err == nil {
		err = d.walk(ctx, pool, o, func(keys []K) error {
			return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				if err := Lock(ctx, tx, d.Name); err != nil {
					return err
				}
				return d.Store(ctx, tx, keys)
			})
		})
	}
	if err == nil {
		err = built(ctx, pool, d.Name, end)
	}
	if err != nil {
		return Result{}, fmt.Errorf("rebuild %s: %w", d.Name, err)
	}
	return Result{}, nil
}

// walk calls do with all keys in batches.
func (d Derived[K]) walk(ctx context.Context, pool *pgxpool.Pool, o Options, do func([]K) error) error {
	var done, total int64
	if err := pool.QueryRow(ctx, d.Rows).Scan(&total); err != nil {
		return err
	}
	for after := *new(K); ; {
		keys, err := d.Keys(ctx, pool, after, d.Size)
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := do(keys); err != nil {
			return err
		}
		after, done = keys[len(keys)-1], done+int64(len(keys))
		o.progress(done, total)
	}
}

// built stores that a rebuild is complete up to a position. Servers follow the log from there, or from a later position
// that they have reached.
func built(ctx context.Context, pool *pgxpool.Pool, name string, upTo int64) error {
	b := &pgx.Batch{}
	// It has one build only. A row with another number would make it be rebuilt for ever.
	b.Queue(`DELETE FROM core_projections WHERE name = $1 AND build <> 1`, name)
	// It names no conflict target, since two servers that insert it concurrently may violate any
	// unique index.
	b.Queue(`INSERT INTO core_projections (name, build, version, state, position) VALUES ($1, 1, 1, 'live', $2) ON CONFLICT DO NOTHING`, name, upTo)
	b.Queue(`UPDATE core_projections SET position = greatest(position, $2), heartbeat_at = now() WHERE name = $1 AND build = 1`, name, upTo)
	return pool.SendBatch(ctx, b).Close()
}
