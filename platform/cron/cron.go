// Package cron runs scheduled jobs when it is called: by an HTTP request once a minute
// or by the in-process adapter.
//
// The due jobs of a tick run concurrently, each under its own session advisory lock. So no two servers run the same job
// at once, and the locks of a dead server are released with its connection. Due times use the database's clock, which
// all servers share. Other modules must not import it.
package cron

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/schedule"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
)

// Config configures a Cron. The zero value is usable.
type Config struct {
	Log zerolog.Logger
	// Adapter reports that Run is called; Health shows it as Active.
	Adapter bool
	// Interval is how often the adapter ticks. Default one minute.
	Interval time.Duration
	// Now is the clock of this server. Default time.Now.
	Now func() time.Time
}

// maxAhead is how far a server's clock may be ahead of the database's for it to run jobs that use
// its clock.
const maxAhead = 5 * time.Minute

// Cron runs a fixed set of jobs. It is safe for concurrent use.
type Cron struct {
	pool     *pgxpool.Pool
	log      zerolog.Logger
	adapter  bool
	interval time.Duration
	now      func() time.Time
	jobs     map[string]job // by key
	locks    *sessionlock.Locks
	patience time.Duration // bounds database work before a run begins

	stopping context.Context // parent of the contexts of runs
	stop     context.CancelFunc

	mu    sync.Mutex // orders the beginning of ticks and Close
	ticks sync.WaitGroup
}

// New returns a Cron, or an error that names every faulty job. The caller closes the
// pool after Close.
func New(pool *pgxpool.Pool, c Config, jobs ...Job) (*Cron, error) {
	if pool == nil {
		return nil, errors.New("cron: a pool is needed")
	}
	if c.Interval <= 0 {
		c.Interval = time.Minute
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	cron := &Cron{
		pool: pool, log: c.Log, adapter: c.Adapter, interval: c.Interval, now: c.Now,
		jobs: make(map[string]job, len(jobs)), locks: sessionlock.New(pool.Config().ConnConfig), patience: sessionlock.StatementLimit,
	}
	cron.stopping, cron.stop = context.WithCancel(context.Background())
	var faults []error
	for _, j := range jobs {
		if err := cron.add(j); err != nil {
			faults = append(faults, fmt.Errorf("job %s: %w", j.Key(), err))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return cron, nil
}

func (c *Cron) add(j Job) error {
	switch {
	case j.PluginID == "" || j.Module == "" || j.Name == "":
		return errors.New("plugin, module and name are needed")
	case j.Run == nil:
		return errors.New("there is nothing to run")
	case j.Limit < 0:
		return errors.New("the limit is negative")
	}
	if _, taken := c.jobs[j.Key()]; taken {
		return errors.New("it is registered twice")
	}
	parsed, err := schedule.Parse(j.Schedule)
	if err != nil {
		return err
	}
	j.Limit = cmp.Or(j.Limit, DefaultLimit)
	c.jobs[j.Key()] = job{Job: j, schedule: parsed}
	return nil
}

// Longest returns the longest time that a tick may take: its longest job, the wait for
// that job's lock, and the bookkeeping.
func (c *Cron) Longest() time.Duration {
	var limit time.Duration
	for _, j := range c.jobs {
		limit = max(limit, j.Limit)
	}
	return limit + lockWait + time.Minute
}

// Close cancels the contexts of runs and waits for ticks in progress. A handler that ignores its
// context delays it by at most a second.
func (c *Cron) Close() {
	c.mu.Lock()
	c.stop()
	c.mu.Unlock()
	c.ticks.Wait()
}

// begin registers a tick. The tick calls ticks.Done when it ends.
func (c *Cron) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping.Err() != nil {
		return errStopping
	}
	c.ticks.Add(1)
	return nil
}
