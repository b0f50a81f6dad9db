// Package projector counts the sealed log into read models: each projection in a table of
// its own, which is built beside the one that readers use whenever what it counts changes.
package projector

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

// Projector projects the sealed log into the builds of its projections' versions. Any number
// of servers may run one: one server at a time works on a build, and each event is projected
// into it once and in order, since a batch and the build's position are stored in one
// transaction. A build whose next event cannot be projected is paused with an alarm; the
// event is never skipped.
type Projector struct {
	pool        *pgxpool.Pool
	log         zerolog.Logger
	projections []Projection
	loop        *wake.Loop
	behind      *prometheus.GaugeVec
	paused      *prometheus.GaugeVec
}

// The sizes and intervals of projecting.
const (
	// projectBatch is how many events are projected in one transaction. The other builds
	// wait for it, some 100 ms.
	projectBatch = 5000
	// projectEvery is how soon events that another server sealed are projected.
	projectEvery = 250 * time.Millisecond
	// projectPause is the least time between two passes: events gather under load, so that
	// a batch costs little compared with the commands that made them.
	projectPause = 150 * time.Millisecond
	// sweepEvery is how often unused builds are looked for.
	sweepEvery = time.Minute
)

// New returns a projector. It does nothing until Run.
func New(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer, projections ...Projection) *Projector {
	metric := promauto.With(metrics)
	return &Projector{pool: pool, log: log, projections: projections, loop: wake.NewLoop(projectEvery, projectPause),
		behind: metric.NewGaugeVec(prometheus.GaugeOpts{Name: "docket_projection_behind_events",
			Help: "Sealed events that a projection has not projected yet."}, []string{"projection"}),
		paused: metric.NewGaugeVec(prometheus.GaugeOpts{Name: "docket_projection_paused",
			Help: "1 while a projection is paused, because an event cannot be projected."}, []string{"projection"}),
	}
}

// Find returns its projection of a name.
func (p *Projector) Find(name string) (Projection, bool) { return Find(p.projections, name) }

// Wake asks for a pass soon; it never blocks.
func (p *Projector) Wake() { p.loop.Wake() }

// Run projects until ctx ends. Failures are logged and retried.
func (p *Projector) Run(ctx context.Context) {
	var swept time.Time
	p.loop.Run(ctx, func(ctx context.Context) {
		if now := time.Now(); now.Sub(swept) >= sweepEvery {
			p.try(ctx, p.sweep)
			swept = now
		}
		p.try(ctx, p.CatchUp)
	})
}

func (p *Projector) try(ctx context.Context, work func(context.Context) error) {
	if err := work(ctx); err != nil && ctx.Err() == nil {
		p.log.Error().Err(err).Msg("projecting failed")
	}
}

// sweep begins missing builds and drops unused ones.
func (p *Projector) sweep(ctx context.Context) error {
	for _, projection := range p.projections {
		if err := StartBuild(ctx, p.pool, projection, true); err != nil {
			return err
		}
		if err := dropRetired(ctx, p.pool, projection.Name); err != nil {
			return err
		}
		if _, err := p.pool.Exec(ctx, `UPDATE core_projections SET heartbeat_at = now() WHERE name = $1 AND version = $2`,
			projection.Name, projection.Version); err != nil {
			return fmt.Errorf("store the heartbeat of %s: %w", projection.Name, err)
		}
	}
	return nil
}

// CatchUp projects every sealed event into every build of its projections' versions, and puts
// builds that have caught up into use. It advances the builds in use first, and again after
// each batch of the others. Builds at the same position advance together and share one read
// of the log.
func (p *Projector) CatchUp(ctx context.Context) error {
	for {
		builds, err := Builds(ctx, p.pool)
		if err != nil {
			return err
		}
		end, err := eventstore.LastPosition(ctx, p.pool)
		if err != nil {
			return err
		}
		more := false
		var faults []error
		for _, together := range p.works(builds, end) {
			further, err := p.advance(ctx, together, end)
			faults = append(faults, err)
			more = more || further
		}
		if err := errors.Join(faults...); err != nil || !more {
			return err
		}
	}
}

// work is a build that this projector keeps up to date.
type work struct {
	Build
	projection Projection
	measured   bool // the projection's metrics describe this build
}

// works returns the builds to advance, grouped by position: first those that are read, then
// those being built. It leaves out paused builds. It sets the metrics of all builds.
func (p *Projector) works(builds []Build, end int64) (all [][]work) {
	var read, building []work
	for _, projection := range p.projections {
		found := false
		for _, b := range builds { // live first, then newest first
			if b.Name != projection.Name || b.Version != projection.Version || b.State != "building" && found {
				continue
			}
			w := work{b, projection, !found}
			p.measure(w, end)
			if b.State == "building" {
				building = append(building, w)
			} else {
				read, found = append(read, w), true
			}
		}
	}
	for _, some := range [][]work{read, building} {
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

// measure sets the projection's metrics.
func (p *Projector) measure(w work, end int64) {
	if w.measured {
		p.behind.WithLabelValues(w.Name).Set(float64(max(end-w.Position, 0)))
		paused := 0.0
		if w.PausedAt != nil {
			paused = 1
		}
		p.paused.WithLabelValues(w.Name).Set(paused)
	}
}

// advance projects up to the end into builds that are read, or one batch into builds that are
// being built; more reports that there is more to do. A batch that meets an event that cannot
// be projected is halved, for each build by itself, until everything before it is projected.
func (p *Projector) advance(ctx context.Context, together []work, end int64) (more bool, err error) {
	building, position := together[0].State == "building", together[0].Position
	for limit := projectBatch; position < end; {
		reached, err := p.batch(ctx, together, position, limit)
		switch {
		case err == nil && reached == position: // another server works on it
			return false, nil
		case errors.Is(err, errMoved):
			return true, nil
		case err == nil:
			position = reached
			for i := range together {
				together[i].Position = reached
				p.measure(together[i], end)
			}
			if building && limit == projectBatch && position < end {
				return true, nil
			}
		case !poisonous(err):
			return false, fmt.Errorf("project the events after position %d: %w", position, err)
		case len(together) > 1:
			return false, p.advanceEach(ctx, together, end)
		case limit > 1:
			limit /= 2
		default:
			return false, p.pause(ctx, together[0], err)
		}
	}
	if building {
		for _, w := range together {
			err = errors.Join(err, promote(ctx, p.pool, w.Build))
		}
	}
	return false, err
}

func (p *Projector) advanceEach(ctx context.Context, together []work, end int64) error {
	var faults []error
	for _, w := range together {
		_, err := p.advance(ctx, []work{w}, end)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// errMoved means that a build has changed since it was read.
var errMoved = errors.New("another server has advanced, paused or dropped a build")

// batch projects at most limit events after a position into each build, in one transaction,
// and returns the position reached. It is the same position if another server works on one
// of the builds.
func (p *Projector) batch(ctx context.Context, together []work, at int64, limit int) (reached int64, err error) {
	names, builds := make([]string, len(together)), make([]int, len(together))
	for i, w := range together {
		names[i], builds[i] = w.Name, w.Build.Build
	}
	reached = at
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
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
		if n < len(together) {
			return errMoved
		}
		steps, last, err := readSteps(ctx, tx, at, limit)
		if err != nil {
			return err
		}
		for _, w := range together {
			if err := w.projection.apply(ctx, tx, w.table(), steps); err != nil {
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
