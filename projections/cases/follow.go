package cases

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/projections/follow"
)

// Name is the name of this projection in its status, verification and rebuild.
const Name = "cases"

// batch is the number of events, or of targets, in one transaction.
const batch = 500

// NewFollower returns a follower of the log that keeps the cases. Between its passes, reports of
// one target gather, since each pass stores the whole case.
func NewFollower(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer) *follow.Follower {
	return follow.New(follow.Projection{Name: Name, Batch: batch, Every: 250 * time.Millisecond, Pause: 150 * time.Millisecond,
		Apply: apply, Rebuild: Rebuild}, pool, log, metrics)
}

// apply brings the cases of the reports that events name up to date, and weighs those again
// in which a decision counts for something else: the others that the same reporter has
// reported or the same author has written.
func apply(ctx context.Context, tx pgx.Tx, after, upTo int64) (more bool, err error) {
	if upTo == after {
		return false, nil
	}
	c, err := readChanges(ctx, tx, after, upTo)
	if err != nil {
		return false, err
	}
	recorded, err := c.grow(ctx, tx)
	if err != nil {
		return false, err
	}
	if err := refresh(ctx, tx, slices.Collect(maps.Keys(c.read)), c.until); err != nil {
		return false, err
	}
	others, err := c.others(ctx, tx)
	if err != nil {
		return false, err
	}
	return false, reweigh(ctx, tx, append(others, recorded...))
}
