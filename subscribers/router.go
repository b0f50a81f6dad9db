// Package subscribers delivers public events to plugin listeners, webhooks, brokers, notices, and
// moderators' open boards. Listeners are consumer groups of one Watermill topic in PostgreSQL. A
// group runs on one server at a time and stores its position in the database.
//
// A group reads its next events in a transaction, passes them to its listener within it, together or
// one by one, and commits them with its position. An event that fails is retried, and then stored as
// a dead letter. The tables are watermill-sql's, so that any subscriber of Watermill can read them;
// the loop is our own, because a listener needs the pgx transaction that read its event. It is not
// for import.
package subscribers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
)

// Config tunes a Router; the zero value suits a server.
type Config struct {
	Log     zerolog.Logger
	Metrics prometheus.Registerer // nil for none

	// PollInterval is the pause between reads of a group that has read everything.
	// 0 means 200 ms.
	PollInterval time.Duration
	// Retries is how often an event is retried before it becomes a dead letter. 0 means 4,
	// over about two seconds, since the open transaction delays other readers.
	Retries int
	// RetryInterval is the first pause between attempts; it triples each time. 0 means
	// 50 ms.
	RetryInterval time.Duration
	// Forwarders forward events to other systems.
	Forwarders []Forwarder
	// maxRetry is the longest pause after a lost connection. 0 means 5 s. Tests shorten it.
	maxRetry time.Duration
}

func (c *Config) setDefaults() {
	c.PollInterval = cmp.Or(c.PollInterval, 200*time.Millisecond)
	c.Retries = cmp.Or(c.Retries, 4)
	c.RetryInterval = cmp.Or(c.RetryInterval, 50*time.Millisecond)
	c.maxRetry = cmp.Or(c.maxRetry, maxRetry)
}

// Router runs consumer groups. Make one with NewRouter; Run may be called again after
// it has returned.
type Router struct {
	pool    *pgxpool.Pool
	config  Config
	groups  map[string]*group
	order   []string // the names of the groups, as they were registered
	metrics *metrics
}

// NewRouter returns a router of the listeners, or an error with every listener that is
// not valid and every group that is named twice.
func NewRouter(pool *pgxpool.Pool, config Config, listeners ...event.Listener) (*Router, error) {
	config.setDefaults()
	r := &Router{pool: pool, config: config, groups: make(map[string]*group)}
	var faults []error
	for _, l := range listeners {
		if err := l.Validate(); err != nil {
			faults = append(faults, err)
			continue
		}
		if r.groups[l.Group] != nil {
			faults = append(faults, fmt.Errorf("listener group %s is registered twice", l.Group))
			continue
		}
		r.order = append(r.order, l.Group)
		r.groups[l.Group] = &group{
			Listener: l, router: r, log: config.Log.With().Str("group", l.Group).Logger(),
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	for _, f := range config.Forwarders {
		r.order = append(r.order, f.Group)
	}
	r.metrics = newMetrics(config.Metrics, r.order)
	return r, nil
}

// Run delivers until ctx is done and handlers have returned. It first makes a topic that
// was restored from a dump readable, and returns an error if it loses the database then.
// After that it survives a loss of the database.
func (r *Router) Run(ctx context.Context) error {
	err := Restored(ctx, r.pool, r.config.Log)
	if err == nil {
		err = r.enroll(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	locks := sessionlock.New(r.pool.Config().ConnConfig)
	var running sync.WaitGroup
	for _, f := range r.config.Forwarders {
		running.Go(func() { r.forward(ctx, locks, f) })
	}
	for _, g := range r.groups {
		running.Go(func() { g.consume(ctx) })
	}
	<-ctx.Done()
	running.Wait()
	return nil
}

// enroll gives each group a position if it has none.
func (r *Router) enroll(ctx context.Context) error {
	for _, name := range r.order {
		if _, err := r.pool.Exec(ctx, enrollGroup, name); err != nil {
			return fmt.Errorf("enroll group %s: %w", name, err)
		}
	}
	return nil
}
