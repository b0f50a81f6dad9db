// Package queue keeps tasks in PostgreSQL and runs them (contract section 6).
//
// A task is enqueued in its caller's transaction and delivered at least once: a
// worker takes it under a lease, extends the lease while the handler runs, and
// a task whose worker is gone returns when its lease ends. An attempt is fenced
// by its number: one whose lease has ended can neither complete the task nor
// fail it. Handlers must therefore be idempotent.
package queue

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
)

// Config has a good default for everything.
type Config struct {
	Now func() time.Time // default time.Now; stored times and leases follow it
	Log zerolog.Logger

	// Concurrency is how many tasks of a queue run at once, in Run and in each
	// Drain. Default: 16, of Long 2.
	Concurrency map[Name]int
	// Poll bounds how long a task waits that another server enqueued. Default 1 s.
	Poll time.Duration
	// Lease is how long a task stays with a worker that is gone. Default 30 s.
	Lease time.Duration
	// Limit bounds an attempt whose handler does not say. Default 1 min.
	Limit time.Duration
	// StopGrace is how long tasks in flight may go on once Run is told to stop;
	// then their contexts end. Default 4 s. Run returns a second or two later, or,
	// when the database does not answer, six.
	StopGrace time.Duration
	// DrainBudget is how long a Drain takes new tasks, and then again how long
	// it waits for those it took. Default 20 s.
	DrainBudget time.Duration
}

func (c *Config) setDefaults() {
	if c.Now == nil {
		c.Now = time.Now
	}
	for _, d := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{
		{&c.Poll, time.Second},
		{&c.Lease, 30 * time.Second},
		{&c.Limit, time.Minute},
		{&c.StopGrace, 4 * time.Second},
		{&c.DrainBudget, 20 * time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.fallback
		}
	}
	given := c.Concurrency
	c.Concurrency = make(map[Name]int, len(names))
	for _, name := range names {
		c.Concurrency[name] = concurrency[name]
		if n := given[name]; n > 0 {
			c.Concurrency[name] = n
		}
	}
}

// Queue runs the tasks of one database. It is safe for concurrent use.
type Queue struct {
	config Config
	pool   *pgxpool.Pool
	now    func() time.Time
	log    zerolog.Logger

	mu       sync.RWMutex
	handlers map[key]Handler
	wakes    map[Name]chan struct{}
}

type key struct{ pluginID, name string }

// New makes a Queue; the pool remains the caller's to close.
func New(pool *pgxpool.Pool, c Config) (*Queue, error) {
	if pool == nil {
		return nil, errors.New("queue: a pool is needed")
	}
	for _, d := range []time.Duration{c.Poll, c.Lease, c.Limit, c.StopGrace, c.DrainBudget} {
		if d < 0 {
			return nil, fmt.Errorf("queue: the duration %s is negative", d)
		}
	}
	c.setDefaults()
	q := &Queue{
		config: c, pool: pool, now: c.Now, log: c.Log,
		handlers: make(map[key]Handler), wakes: make(map[Name]chan struct{}, len(names)),
	}
	for _, name := range names {
		q.wakes[name] = make(chan struct{}, 1)
	}
	return q, nil
}

// Wake lets this server's workers look at once. It neither blocks nor is needed:
// call it after the commit of a transaction that enqueued something.
func (q *Queue) Wake() {
	for _, c := range q.wakes {
		select {
		case c <- struct{}{}:
		default: // they are about to look anyway
		}
	}
}
