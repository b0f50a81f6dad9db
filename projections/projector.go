package projections

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore"
)

// Projector projects the sealed log into the builds of its code's versions. Any
// number of servers may run one: each build is one server's at a time, and each
// event is projected into it once, in order, because a batch and its checkpoint
// are one transaction. A build whose next event cannot be projected is paused
// with an alarm; the event is never skipped.
type Projector struct {
	pool        *pgxpool.Pool
	log         zerolog.Logger
	projections []Projection
	wake        chan struct{}
	every       time.Duration
	behind      *prometheus.GaugeVec
	paused      *prometheus.GaugeVec
}

// The bounds of projecting.
const (
	// projectBatch is how many events are projected in one transaction. A build
	// far behind takes some 100 ms for one, which the others wait for.
	projectBatch = 5000
	// projectEvery is how soon events are projected that another server sealed.
	projectEvery = 250 * time.Millisecond
	// projectPause lets the events of a busy moment gather, so that a batch costs
	// little beside the commands that made them.
	projectPause = 150 * time.Millisecond
	// sweepEvery is how often builds out of use are looked for.
	sweepEvery = time.Minute
)

// NewProjector makes a projector; it does nothing until Run.
func NewProjector(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer, projections ...Projection) *Projector {
	metric := promauto.With(metrics)
	return &Projector{pool: pool, log: log, projections: projections, wake: make(chan struct{}, 1), every: projectEvery,
		behind: metric.NewGaugeVec(prometheus.GaugeOpts{Name: "docket_projection_behind_events",
			Help: "Sealed events that a projection has not projected yet."}, []string{"projection"}),
		paused: metric.NewGaugeVec(prometheus.GaugeOpts{Name: "docket_projection_paused",
			Help: "1 while a projection is paused, because an event cannot be projected."}, []string{"projection"}),
	}
}

// Wake asks for a pass soon; it never blocks.
func (p *Projector) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Run projects until ctx ends. Failures are logged and tried again.
func (p *Projector) Run(ctx context.Context) {
	tick := time.NewTicker(p.every)
	defer tick.Stop()
	var swept time.Time
	for {
		if now := time.Now(); now.Sub(swept) >= sweepEvery {
			p.try(ctx, p.sweep)
			swept = now
		}
		p.try(ctx, func(ctx context.Context) error { return p.CatchUp(ctx) })
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		case <-tick.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(projectPause):
		}
	}
}

func (p *Projector) try(ctx context.Context, work func(context.Context) error) {
	if err := work(ctx); err != nil && ctx.Err() == nil {
		p.log.Error().Err(err).Msg("projecting failed")
	}
}

// sweep begins the builds that are missing and drops those out of use.
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
			return fmt.Errorf("tell that %s is projected: %w", projection.Name, err)
		}
	}
	return nil
}

// CatchUp projects all that is sealed into every build of the code's versions,
// and takes builds that have caught up into use. Those in use come first, and
// have their turn between any two batches of those being built.
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
		for _, work := range p.works(builds) {
			goesOn, err := p.advance(ctx, work, end)
			if err != nil {
				faults = append(faults, fmt.Errorf("projection %s, build %d: %w", work.build.Name, work.build.Build, err))
			}
			more = more || goesOn
		}
		if err := errors.Join(faults...); err != nil || !more {
			return err
		}
	}
}

// work is a build that a projector of this code keeps up.
type work struct {
	build      Build
	projection Projection
	seen       bool // it is what the projection's metrics tell of
}

// works are the newest builds of this code's versions that are read, and after
// them those being built.
func (p *Projector) works(builds []Build) []work {
	var read, building []work
	for _, projection := range p.projections {
		found := false
		for _, b := range builds { // live first, then newest first
			switch {
			case b.Name != projection.Name || b.Version != projection.Version:
			case b.State == "building":
				building = append(building, work{b, projection, !found})
			case !found:
				read, found = append(read, work{b, projection, true}), true
			}
		}
	}
	return append(read, building...)
}

// advance projects up to the end into a build that is read, and a batch into one
// that is being built; goesOn tells that there is more to do. A batch that meets
// poison is halved until all before the poison is projected.
func (p *Projector) advance(ctx context.Context, w work, end int64) (goesOn bool, err error) {
	b := &w.build
	paused := b.PausedAt != nil
	defer func() {
		if w.seen {
			p.behind.WithLabelValues(b.Name).Set(float64(max(end-b.Position, 0)))
			p.paused.WithLabelValues(b.Name).Set(float64(flag(paused)))
		}
	}()
	for limit := projectBatch; !paused && b.Position < end; {
		position, err := p.batch(ctx, w.projection, *b, limit)
		switch {
		case err == nil && position == b.Position: // another server has it
			return false, nil
		case err == nil:
			b.Position = position
			if b.State == "building" && limit == projectBatch && position < end {
				return true, nil
			}
		case !poisonous(err):
			return false, err
		case limit > 1:
			limit /= 2
		default:
			paused = true
			return false, p.pause(ctx, *b, err)
		}
	}
	if b.State == "building" && !paused {
		return false, promote(ctx, p.pool, *b)
	}
	return false, nil
}

// poisonous tells whether an error is the event's fault, and would be again.
func poisonous(err error) bool {
	var poison *eventstore.PoisonError
	var pg *pgconn.PgError
	return errors.As(err, &poison) ||
		errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23")) // data, constraints
}

// pause stops a build before the event that it cannot project.
func (p *Projector) pause(ctx context.Context, b Build, cause error) error {
	p.log.Error().Err(cause).Str("projection", b.Name).Int("build", b.Build).Int64("position", b.Position+1).
		Msg("a projection is paused: an event cannot be projected")
	_, err := p.pool.Exec(ctx, `UPDATE core_projections SET paused_at = now(), paused_why = $3 WHERE name = $1 AND build = $2`,
		b.Name, b.Build, fmt.Sprintf("position %d: %v", b.Position+1, cause))
	if err != nil {
		return fmt.Errorf("pause: %w", err)
	}
	return nil
}

// batch projects at most limit events with their checkpoint and returns it; the
// build's own where another server is at it.
func (p *Projector) batch(ctx context.Context, projection Projection, b Build, limit int) (position int64, err error) {
	position = b.Position
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		var mine bool
		err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(hashtextextended('docket:projection:' || $1, $2))`, b.Name, b.Build).Scan(&mine)
		if err != nil || !mine {
			return err
		}
		var at int64
		err = tx.QueryRow(ctx, `SELECT position FROM core_projections WHERE name = $1 AND build = $2 AND paused_at IS NULL`, b.Name, b.Build).Scan(&at)
		if errors.Is(err, pgx.ErrNoRows) { // paused or dropped meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		steps, last, err := readSteps(ctx, tx, at, limit)
		if err != nil {
			return err
		}
		if err := projection.apply(ctx, tx, b.table(), steps); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE core_projections SET position = $3 WHERE name = $1 AND build = $2`, b.Name, b.Build, last); err != nil {
			return err
		}
		position = last
		return nil
	})
	if err != nil {
		return b.Position, err
	}
	return position, nil
}
