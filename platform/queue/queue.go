// Package queue stores tasks in PostgreSQL and runs them.
//
// A task is enqueued in its caller's transaction and delivered at least once: a worker takes it
// under a lease and extends the lease while the handler runs. The task of a dead worker becomes
// available soon after its lease ends, or fails if that was its last attempt. Attempts are numbered:
// when a task has become available again, its earlier attempt can neither complete nor fail it.
// Handlers must be idempotent. Due times and leases use the database's clock, which all servers
// share.
//
// The engine stores outcomes in batches, separately from the handlers, and extends all leases in one statement. With a
// statement per task the code would be shorter, but the throughput a quarter (make bench, the queue beside River).
// Other modules must not import it.
package queue

import (
	"cmp"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
)

// Config configures a Queue. The zero value is usable.
type Config struct {
	Log zerolog.Logger

	// Concurrency is how many tasks of a queue run at once, in Run and in each Drain.
	// Default 16, and 2 for Long.
	Concurrency map[Name]int
	// Poll bounds how late a task is noticed that another server enqueued. Default 1 s.
	Poll time.Duration
	// Lease is how long a task stays with a dead worker. Default 30 s.
	Lease time.Duration
	// StopGrace is how long running tasks may continue after the end of Run's context; then their
	// contexts end. Default 4 s. Run returns at most two seconds later, or up to fifteen if the
	// database does not respond.
	StopGrace time.Duration
	// DrainBudget is how long Drain takes new tasks, and then how long it waits for
	// them. Default 20 s.
	DrainBudget time.Duration
}

func (c *Config) setDefaults() {
	c.Poll = cmp.Or(c.Poll, time.Second)
	c.Lease = cmp.Or(c.Lease, defaultLease)
	c.StopGrace = cmp.Or(c.StopGrace, 4*time.Second)
	c.DrainBudget = cmp.Or(c.DrainBudget, 20*time.Second)
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

	mu       sync.RWMutex
	handlers map[key]Handler
	wakes    map[Name]chan struct{}
}

type key struct{ pluginID, name string }

// New returns a Queue. The caller closes the pool.
func New(pool *pgxpool.Pool, c Config) *Queue {
	c.setDefaults()
	q := &Queue{
		config: c, pool: pool,
		handlers: make(map[key]Handler), wakes: make(map[Name]chan struct{}, len(names)),
	}
	for _, name := range names {
		q.wakes[name] = make(chan struct{}, 1)
	}
	return q
}

// Wake makes this server's workers poll at once. It does not block. Call it after a commit that
// enqueued a task, to avoid the delay of a poll.
func (q *Queue) Wake() {
	for _, c := range q.wakes {
		select {
		case c <- struct{}{}:
		default: // they are about to poll anyway
		}
	}
}
