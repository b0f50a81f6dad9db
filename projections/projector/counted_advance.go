package projector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// counting updates the builds of Counted projections.
type counting struct {
	gauges
	pool        *pgxpool.Pool
	log         zerolog.Logger
	projections []Counted
	swept       time.Time
}

const (
	// countedBatch is how many events are projected in one transaction. The other builds wait for
	// it, about 100 ms.
	countedBatch = 5000
	// sweepEvery is the interval between searches for unused builds.
	sweepEvery = time.Minute
)

// catchUp projects every sealed event into every build of its projections' versions, and puts
// builds that have caught up into use.
func (c *counting) catchUp(ctx context.Context) error {
	var fault error
	if now := time.Now(); now.Sub(c.swept) >= sweepEvery {
		fault = c.sweep(ctx)
		c.swept = now
	}
	for {
		if more, err := c.pass(ctx); err != nil || !more {
			return errors.Join(fault, err)
		}
	}
}

// sweep begins missing builds and drops unused ones.
func (c *counting) sweep(ctx context.Context) error {
	for _, projection := range c.projections {
		if err := StartBuild(ctx, c.pool, projection, true); err != nil {
			return err
		}
		if err := dropRetired(ctx, c.pool, projection.Name); err != nil {
			return err
		}
		err := postgres.Exec(ctx, c.pool, "store the heartbeat of "+projection.Name,
			`UPDATE core_projections SET heartbeat_at = now() WHERE name = $1 AND version = $2`, projection.Name, projection.Version)
		if err != nil {
			return err
		}
	}
	return nil
}

// pass advances the builds in use to the end of the log, and then the others by one batch. Builds
// at the same position share one read of the log. It reports whether there is more to do.
func (c *counting) pass(ctx context.Context) (more bool, err error) {
	builds, err := Builds(ctx, c.pool)
	if err != nil {
		return false, err
	}
	end, err := eventstore.LastPosition(ctx, c.pool)
	if err != nil {
		return false, err
	}
	var faults []error
	for _, group := range c.byPosition(builds, end) {
		further, err := c.advance(ctx, group, end)
		faults = append(faults, err)
		more = more || further
	}
	return more, errors.Join(faults...)
}

// followed is a build that this server updates.
type followed struct {
	Build
	counted  Counted
	measured bool // the metrics of the projection describe this build
}

// byPosition returns the builds to advance, grouped by position: first those in use, then those
// being built. It leaves out paused builds. It sets the metrics of all builds.
func (c *counting) byPosition(builds []Build, end int64) (all [][]followed) {
	var read, building []followed
	for _, projection := range c.projections {
		found := false
		for _, b := range builds { // live first, then newest first
			if b.Name != projection.Name || b.Version != projection.Version || b.State != "building" && found {
				continue
			}
			w := followed{b, projection, !found}
			c.measure(w, end)
			if b.State == "building" {
				building = append(building, w)
			} else {
				read, found = append(read, w), true
			}
		}
	}
	for _, some := range [][]followed{read, building} {
		at := map[int64]int{}
		for _, w := range some {
			if w.PausedAt != nil {
				continue
			}
			i, ok := at[w.Position]
			if !ok {
				i = len(all)
				at[w.Position], all = i, append(all, nil)
			}
			all[i] = append(all[i], w)
		}
	}
	return all
}

// measure sets the metrics of the projection.
func (c *counting) measure(w followed, end int64) {
	if w.measured {
		c.behind.WithLabelValues(w.Name).Set(float64(max(end-w.Position, 0)))
		paused := 0.0
		if w.PausedAt != nil {
			paused = 1
		}
		c.paused.WithLabelValues(w.Name).Set(paused)
	}
}

// advance projects events up to the end into builds in use, or one batch into builds being built;
// more reports that there is more to do. If a batch meets an event that cannot be projected, the
// batch is halved, separately for each build, until everything before that event is projected.
func (c *counting) advance(ctx context.Context, group []followed, end int64) (more bool, err error) {
	building, position := group[0].State == "building", group[0].Position
	for limit := countedBatch; position < end; {
		reached, err := c.batch(ctx, group, position, limit)
		switch {
		case err == nil && reached == position: // another server works on it
			return false, nil
		case errors.Is(err, errMoved):
			return true, nil
		case err == nil:
			position = reached
			for i := range group {
				group[i].Position = reached
				c.measure(group[i], end)
			}
			if building && limit == countedBatch && position < end {
				return true, nil
			}
		case !poisonous(err):
			return false, fmt.Errorf("project the events after position %d: %w", position, err)
		case len(group) > 1:
			var faults []error
			for _, w := range group {
				_, err := c.advance(ctx, []followed{w}, end)
				faults = append(faults, err)
			}
			return false, errors.Join(faults...)
		case limit > 1:
			limit /= 2
		default:
			return false, c.pause(ctx, group[0], err)
		}
	}
	if building {
		for _, w := range group {
			err = errors.Join(err, promote(ctx, c.pool, w.Build))
		}
	}
	return false, err
}

// errMoved means that a build has changed since it was read.
var errMoved = errors.New("another server has advanced, paused or dropped a build")

// batch projects at most limit events after a position into each build, in one transaction, and
// returns the position reached, which is the same position if another server works on one of the
// builds.
func (c *counting) batch(ctx context.Context, group []followed, at int64, limit int) (reached int64, err error) {
	names, builds := make([]string, len(group)), make([]int, len(group))
	for i, w := range group {
		names[i], builds[i] = w.Name, w.Build.Build
	}
	reached = at
	err = pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		var mine bool
		err := tx.QueryRow(ctx, `SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended('docket:projection:' || name, build)))
			FROM unnest($1::text[], $2::int[]) b (name, build)`, names, builds).Scan(&mine)
		if err != nil || !mine {
			return err
		}
		// This must be a separate statement: one statement would use the snapshot from
		// before the locks.
		var n int
		err = tx.QueryRow(ctx, `SELECT count(*) FROM core_projections JOIN unnest($1::text[], $2::int[]) b (name, build) USING (name, build)
			WHERE position = $3 AND paused_at IS NULL`, names, builds, at).Scan(&n)
		if err != nil {
			return err
		}
		if n < len(group) {
			return errMoved
		}
		steps, last, err := readSteps(ctx, tx, at, limit)
		if err != nil {
			return err
		}
		for _, w := range group {
			if err := w.counted.apply(ctx, tx, w.table(), steps); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `UPDATE core_projections p SET position = $3 FROM unnest($1::text[], $2::int[]) b (name, build)
			WHERE p.name = b.name AND p.build = b.build`, names, builds, last); err != nil {
			return err
		}
		reached = last
		return nil
	})
	if err != nil {
		return at, err
	}
	return reached, nil
}
