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

// Folded is a projection whose rows are the fold of the log from its beginning: each event once and in
// order.
type Folded struct {
	Name  string
	Batch int64 // events in one transaction
	// Wanted reports whether to begin. Until then nothing follows the log; afterwards it is not called.
	Wanted func(ctx context.Context, db postgres.Querier) (bool, error)
	// Apply folds the events after one position and up to another. Applied, if not nil, is called after its commit.
	Apply   func(ctx context.Context, tx pgx.Tx, after, upTo int64) error
	Applied func()
	// Clear deletes all rows.
	Clear func(ctx context.Context, tx pgx.Tx) error
	// Compare compares the rows with the fold of the log up to a position.
	Compare func(ctx context.Context, tx pgx.Tx, through int64, progress func(done int64), found func(string)) (compared, wrong int64, err error)
}

// ID implements Projection.
func (f Folded) ID() string { return f.Name }

// catchUp follows the log to its end, unless another server does.
func (f Folded) catchUp(ctx context.Context, pool *pgxpool.Pool, behind prometheus.Gauge) error {
	for {
		more, err := follow(ctx, pool, f.Name, f.Batch, behind, func(ctx context.Context, tx pgx.Tx, after, upTo int64) (bool, error) {
			return false, f.Apply(ctx, tx, after, upTo)
		})
		switch {
		case errors.Is(err, ErrNotBuilt):
			if wanted, err := f.Wanted(ctx, pool); err != nil || !wanted {
				return err
			}
			if err := built(ctx, pool, f.Name, 0); err != nil {
				return err
			}
			continue
		case err != nil:
			return fmt.Errorf("follow the log with %s: %w", f.Name, err)
		}
		if f.Applied != nil {
			f.Applied()
		}
		if !more {
			return nil
		}
	}
}

// Verify folds the log again in one snapshot, and compares the rows.
func (f Folded) Verify(ctx context.Context, pool *pgxpool.Pool, o Options) (r Result, err error) {
	if err := f.reach(ctx, pool, o); err != nil {
		return r, err
	}
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		at, err := positionOf(ctx, tx, f.Name)
		if err != nil {
			return err
		}
		r.Compared, r.Wrong, err = f.Compare(ctx, tx, at, func(done int64) { o.progress(done, at) }, o.found)
		return err
	})
	if err != nil {
		err = fmt.Errorf("verify %s: %w", f.Name, err)
	}
	return r, err
}

// reach follows the log to its present end, since there may be no running server that does.
func (f Folded) reach(ctx context.Context, pool *pgxpool.Pool, o Options) error {
	if err := f.catchUp(ctx, pool, prometheus.NewGauge(prometheus.GaugeOpts{})); err != nil {
		return err
	}
	if _, err := positionOf(ctx, pool, f.Name); err != nil {
		return err
	}
	end, err := eventstore.LastPosition(ctx, pool)
	if err != nil {
		return err
	}
	return await(ctx, pool, f.Name, end, o)
}

// Rebuild folds the log again from its beginning. Until it has caught up, new events are not applied.
func (f Folded) Rebuild(ctx context.Context, pool *pgxpool.Pool, o Options) (Result, error) {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := Lock(ctx, tx, f.Name); err != nil {
			return err
		}
		if err := f.Clear(ctx, tx); err != nil {
			return err
		}
		return postgres.Exec(ctx, tx, "begin anew", `UPDATE core_projections SET position = 0 WHERE name = $1`, f.Name)
	})
	if err == nil {
		err = f.reach(ctx, pool, o)
	}
	if errors.Is(err, ErrNotBuilt) { // it is not wanted
		return Result{}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("rebuild %s: %w", f.Name, err)
	}
	return Result{}, nil
}
