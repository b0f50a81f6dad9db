package projector

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore/wake"
)

// Projector keeps projections up to date with the sealed log. Any number of servers may run one:
// one server at a time works on a projection, and stores a batch and the position that it reached
// in one transaction.
type Projector struct {
	pool        *pgxpool.Pool
	log         zerolog.Logger
	projections []Projection
	followers   []follower
}

// follower updates the projections that advance in one loop.
type follower struct {
	loop    *wake.Loop
	catchUp func(context.Context) error
}

const (
	// followEvery is how soon events that another server sealed are applied.
	followEvery = 250 * time.Millisecond
	// followPause is the minimum time between two passes. Under load events accumulate meanwhile, so that a batch costs
	// little compared with the commands.
	followPause = 150 * time.Millisecond
)

// New returns a projector, which does nothing until Run. It ignores projections that commands update themselves, which
// are neither Counted nor Derived nor Folded.
func New(pool *pgxpool.Pool, log zerolog.Logger, metrics prometheus.Registerer, projections ...Projection) *Projector {
	g := newGauges(metrics)
	p := &Projector{pool: pool, log: log, projections: projections}
	follow := func(catchUp func(context.Context) error) {
		p.followers = append(p.followers, follower{wake.NewLoop(followEvery, followPause), catchUp})
	}
	counting := &counting{pool: pool, log: log, gauges: g}
	for _, projection := range projections {
		switch projection := projection.(type) {
		case Counted:
			counting.projections = append(counting.projections, projection)
		case following:
			behind := g.behind.WithLabelValues(projection.ID())
			follow(func(ctx context.Context) error { return projection.catchUp(ctx, pool, behind) })
		}
	}
	if len(counting.projections) > 0 {
		follow(counting.catchUp)
	}
	return p
}

// Select returns the projection of an id, or all of them for "". Rebuild can rebuild each group at once.
func (p *Projector) Select(id string) (groups [][]Projection) {
	var counted []Projection
	for _, projection := range p.projections {
		if id != "" && id != projection.ID() {
			continue
		}
		if _, ok := projection.(Counted); ok {
			counted = append(counted, projection)
		} else {
			groups = append(groups, []Projection{projection})
		}
	}
	if counted != nil {
		groups = append(groups, counted)
	}
	return groups
}

// Wake requests a pass soon; it never blocks.
func (p *Projector) Wake() {
	for _, f := range p.followers {
		f.loop.Wake()
	}
}

// Run follows the log until ctx ends. Failures are logged and retried.
func (p *Projector) Run(ctx context.Context) {
	var loops sync.WaitGroup
	for _, f := range p.followers {
		loops.Go(func() {
			f.loop.Run(ctx, func(ctx context.Context) {
				if err := f.catchUp(ctx); err != nil && ctx.Err() == nil {
					p.log.Error().Err(err).Msg("projecting failed")
				}
			})
		})
	}
	loops.Wait()
}

// CatchUp follows the log to its end, except for projections that another server works on. It builds those that are not
// built yet.
func (p *Projector) CatchUp(ctx context.Context) error {
	var faults []error
	for _, f := range p.followers {
		faults = append(faults, f.catchUp(ctx))
	}
	return errors.Join(faults...)
}

// Rebuild rebuilds a group of Select. It reads the log once for all Counted ones.
func (p *Projector) Rebuild(ctx context.Context, group []Projection, o Options) (Result, error) {
	var counted []Counted
	for _, projection := range group {
		c, ok := projection.(Counted)
		if !ok {
			return projection.Rebuild(ctx, p.pool, o)
		}
		counted = append(counted, c)
	}
	return Result{}, rebuildCounted(ctx, p.pool, counted, o)
}
