// Package subscribers brings public events to those who asked for them: plugin
// listeners, webhooks, brokers, notices, and moderators' open boards. Listeners are
// consumer groups of one Watermill topic in PostgreSQL; a group is at work on one
// server at a time and remembers in the database how far it has read.
package subscribers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
)

// Config tunes a Router; the zero value is good for a server.
type Config struct {
	Log     zerolog.Logger
	Metrics prometheus.Registerer // nil: none
	Now     func() time.Time      // nil: time.Now

	// PollInterval is how long a group that has read everything waits before it
	// looks again. 0: 200 ms.
	PollInterval time.Duration
	// Retries is how often an event is tried again before it is set aside. 0: 4,
	// over about two seconds, since the transaction that waits delays other readers.
	Retries int
	// RetryInterval is the first wait between tries, tripled each time. 0: 50 ms.
	RetryInterval time.Duration
	// CloseTimeout is how long Run waits for handlers when it stops. 0: 5 s.
	CloseTimeout time.Duration
}

func (c *Config) setDefaults() {
	if c.Now == nil {
		c.Now = time.Now
	}
	for _, d := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{{&c.PollInterval, 200 * time.Millisecond}, {&c.RetryInterval, 50 * time.Millisecond}, {&c.CloseTimeout, 5 * time.Second}} {
		if *d.value <= 0 {
			*d.value = d.fallback
		}
	}
	if c.Retries <= 0 {
		c.Retries = 4
	}
}

// ackDeadline is beyond everything that one message may take with all its tries;
// the attempts have bounds of their own.
const ackDeadline = 5 * time.Minute

// Router runs consumer groups. Make one with NewRouter; Run may be called again after
// it has returned.
type Router struct {
	pool    *pgxpool.Pool
	config  Config
	groups  map[string]*group
	order   []string
	metrics *metrics
}

// NewRouter makes a router of the listeners. It fails on a listener that is not
// valid and on a group that is named twice.
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
			Listener: l, topic: outbox.Topic,
			offsets: offsets{schema: schema{outbox.Schema()}},
			log:     config.Log.With().Str("group", l.Group).Logger(),
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	var err error
	if r.metrics, err = newMetrics(config.Metrics, pool, r.order); err != nil {
		return nil, err
	}
	for _, g := range r.groups {
		g.metrics = r.metrics
	}
	return r, nil
}

// Groups are the names of the groups, in the order of their registration.
func (r *Router) Groups() []string { return r.order }

// Run delivers until ctx ends and handlers have stopped. It first makes a topic that
// was restored from a dump readable. Losing the database then is an error, with which
// nothing has been started; losing it later is no reason to return.
func (r *Router) Run(ctx context.Context) error {
	err := Restored(ctx, r.pool, r.config.Log)
	if err == nil {
		err = r.enroll(ctx)
	}
	if err == nil {
		err = r.deliver(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// deliver runs the groups in a message router of their own.
func (r *Router) deliver(ctx context.Context) error {
	db := openDB(r.pool)
	defer db.Close()
	logger := logAdapter{r.config.Log}
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: r.config.CloseTimeout}, logger)
	if err != nil {
		return fmt.Errorf("message router: %w", err)
	}
	for _, name := range r.order {
		g := r.groups[name]
		deadline := ackDeadline
		subscriber, err := watermillsql.NewSubscriber(db, watermillsql.SubscriberConfig{
			ConsumerGroup:  name,
			AckDeadline:    &deadline,
			ResendInterval: r.config.RetryInterval,
			BackoffManager: &backoff{poll: r.config.PollInterval, log: g.log},
			SchemaAdapter:  g.offsets.schema,
			OffsetsAdapter: enrolled{g.offsets},
		}, logger)
		if err != nil {
			return fmt.Errorf("subscriber of group %s: %w", name, err)
		}
		handler := router.AddConsumerHandler(name, g.topic, subscriber, g.deliver)
		chain, err := r.chain(g)
		if err != nil {
			return fmt.Errorf("group %s: %w", name, err)
		}
		handler.AddMiddleware(chain...)
	}
	if len(r.order) == 0 {
		<-ctx.Done()
		return nil
	}
	if err := router.Run(ctx); err != nil {
		return fmt.Errorf("deliver messages: %w", err)
	}
	return nil
}

// enroll gives each group a position where it has none. Subscribers would do it as
// they subscribe; but a message router that fails at its start cannot be ended.
func (r *Router) enroll(ctx context.Context) error {
	for _, name := range r.order {
		g := r.groups[name]
		for _, q := range g.offsets.BeforeSubscribingQueries(g.topic, name) {
			if _, err := r.pool.Exec(ctx, q.Query, q.Args...); err != nil {
				return fmt.Errorf("enroll group %s: %w", name, err)
			}
		}
	}
	return nil
}

// chain is the middleware of a group, outermost first.
func (r *Router) chain(g *group) ([]message.HandlerMiddleware, error) {
	set := poisonQueue{group: g, now: r.config.Now}
	poison, err := middleware.PoisonQueueWithFilter(set, poisonTopic(g.Group), isHandlerError)
	if err != nil {
		return nil, err
	}
	retry := middleware.Retry{
		MaxRetries: r.config.Retries, InitialInterval: r.config.RetryInterval, Multiplier: 3,
		MaxInterval: time.Minute, RandomizationFactor: 0.2, ResetContextOnRetry: true,
		ShouldRetry: func(p middleware.RetryParams) bool { return isHandlerError(p.Err) },
	}
	return []message.HandlerMiddleware{
		passAbandoned, middleware.CorrelationID, poison, retry.Middleware, middleware.Recoverer,
	}, nil
}

// isHandlerError tells failures of a listener, which count, from those of the
// connection or of a server that stops, which do not.
func isHandlerError(err error) bool {
	var failed *handlerError
	var panicked middleware.RecoveredPanicError
	return errors.As(err, &failed) || errors.As(err, &panicked)
}

// passAbandoned acknowledges messages whose transaction is over. The acknowledgement
// cannot be committed, so the batch ends with an error and is read anew; not to
// acknowledge would have the library offer the message to the dead transaction
// until its deadline.
func passAbandoned(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		out, err := next(msg)
		if errors.Is(err, errAbandoned) {
			return nil, nil
		}
		return out, err
	}
}

var _ watermill.LoggerAdapter = logAdapter{}
