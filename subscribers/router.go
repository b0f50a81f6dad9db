// Package subscribers delivers public events to plugin listeners, webhooks, brokers and notices.
// Listeners are consumer groups of one Watermill topic in PostgreSQL. A group runs on one server at
// a time and stores its position in the database.
//
// A message goes from the topic's table through a subscriber, Watermill's message router with its Retry middleware, and
// the group's middleware to the listener. A listener with a HandleAll gets a batch from the subscriber; only after a
// failure do its messages go that way. The tables are watermill-sql's. The subscriber is our own, because
// watermill-sql's works on database/sql, and a listener needs the pgx transaction that read its message. Other modules
// must not import it.
package subscribers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
)

// Config tunes a Router; the zero value suits a server.
type Config struct {
	Log     zerolog.Logger
	Metrics prometheus.Registerer // nil for none
	Now     func() time.Time      // nil means time.Now

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
	// CloseTimeout is how long Run waits for handlers when it stops. 0 means 5 s.
	CloseTimeout time.Duration
	// maxRetry is the longest pause after a lost connection. 0 means 5 s. Tests shorten it.
	maxRetry time.Duration
}

func (c *Config) setDefaults() {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.PollInterval = cmp.Or(c.PollInterval, 200*time.Millisecond)
	c.Retries = cmp.Or(c.Retries, defaultRetries)
	c.RetryInterval = cmp.Or(c.RetryInterval, defaultRetryInterval)
	c.CloseTimeout = cmp.Or(c.CloseTimeout, 5*time.Second)
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
			Listener: l, now: config.Now, log: config.Log.With().Str("group", l.Group).Logger(),
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	for _, f := range config.Forwarders {
		r.order = append(r.order, f.Group)
	}
	r.metrics = newMetrics(config.Metrics, pool, r.order)
	for _, g := range r.groups {
		g.metrics = r.metrics
	}
	return r, nil
}

// Run delivers until ctx is done and handlers have stopped. It first makes a topic that
// was restored from a dump readable, and returns an error if it loses the database then.
// After that it survives a loss of the database.
func (r *Router) Run(ctx context.Context) error {
	err := Restored(ctx, r.pool, r.config.Log)
	if err == nil {
		err = r.enroll(ctx)
	}
	if err == nil {
		err = r.runGroups(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// runGroups runs the forwarders and the listeners.
func (r *Router) runGroups(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	locks := sessionlock.New(r.pool.Config().ConnConfig)
	var forwarding sync.WaitGroup
	for _, f := range r.config.Forwarders {
		forwarding.Go(func() { r.forward(ctx, locks, f) })
	}
	err := r.deliver(ctx)
	stop()
	forwarding.Wait()
	return err
}

// deliver runs the listeners in a new message router.
func (r *Router) deliver(ctx context.Context) error {
	if len(r.groups) == 0 {
		<-ctx.Done()
		return nil
	}
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: r.config.CloseTimeout}, logAdapter{r.config.Log})
	if err != nil {
		return fmt.Errorf("message router: %w", err)
	}
	for name, g := range r.groups {
		handler := router.AddConsumerHandler(name, outbox.Topic, &subscriber{
			pool: r.pool, group: name, topic: func(string) topic { return publicEvents },
			handleAll: g.handleAll,
			poll:      r.config.PollInterval, firstRetry: firstRetry, maxRetry: r.config.maxRetry, log: g.log,
		}, g.deliver)
		handler.AddMiddleware(g.acknowledge, r.config.retry, onlyFailures)
	}
	if err := router.Run(ctx); err != nil {
		return fmt.Errorf("deliver messages: %w", err)
	}
	return nil
}

// enroll gives each group a position if it has none. It must be called before the message router
// starts, which cannot be stopped if it fails to start.
func (r *Router) enroll(ctx context.Context) error {
	for _, name := range r.order {
		if _, err := r.pool.Exec(ctx, publicEvents.enrollQuery(), name); err != nil {
			return fmt.Errorf("enroll group %s: %w", name, err)
		}
	}
	return nil
}
