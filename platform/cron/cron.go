// Package cron runs scheduled jobs when something outside calls for it (spec 4.3,
// contract section 6): an HTTP call once a minute, or the in-process adapter.
//
// The due jobs of a tick run side by side, each under a session advisory lock of
// its own, so that a job never runs twice at once on however many servers, and
// a dead server's jobs are free when its connection is.
package cron

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/schedule"
)

// DefaultSecret is what the trigger takes where no secret is set. It is publicly
// known (spec 5.2.3).
const DefaultSecret = "docket-default-cron-secret"

// DefaultLimit bounds a run of a job that sets no limit of its own.
const DefaultLimit = 5 * time.Minute

// Job is something to run on a schedule. It must be idempotent: a run that was
// not recorded happens again.
type Job struct {
	PluginID    string
	Module      string
	Name        string
	Description string
	Schedule    string        // see schedule.Parse
	Limit       time.Duration // default DefaultLimit
	// EveryTick runs the job on each tick, due or not; it counts and is recorded
	// only when due.
	EveryTick bool
	// Run heeds its context, which ends with the limit, the lock or the server.
	Run func(ctx context.Context) error
}

// Key is what a job is known by.
func (j Job) Key() string { return j.PluginID + ":" + j.Module + ":" + j.Name }

// Config has a good default for everything.
type Config struct {
	Now func() time.Time // default time.Now
	Log zerolog.Logger
	// Adapter says that Run is called: what the admin area calls active.
	Adapter bool
	// Interval is how often the adapter ticks. Default one minute.
	Interval time.Duration
}

// Cron runs the jobs that it was made with. It is safe for concurrent use.
type Cron struct {
	pool     *pgxpool.Pool
	now      func() time.Time
	log      zerolog.Logger
	adapter  bool
	interval time.Duration
	jobs     map[string]job // by key
	locks    *locks
	patience time.Duration // with the database, before a run begins

	stopping context.Context // what the contexts of runs end with
	stop     context.CancelFunc

	mu    sync.Mutex // orders the beginning of ticks and Close
	ticks sync.WaitGroup
}

type job struct {
	Job
	schedule schedule.Schedule
}

// New checks the jobs, with every fault at once. The pool remains the caller's
// to close, after Close.
func New(pool *pgxpool.Pool, c Config, jobs ...Job) (*Cron, error) {
	if pool == nil {
		return nil, errors.New("cron: a pool is needed")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Interval <= 0 {
		c.Interval = time.Minute
	}
	cron := &Cron{
		pool: pool, now: c.Now, log: c.Log, adapter: c.Adapter, interval: c.Interval,
		jobs: make(map[string]job, len(jobs)), locks: newLocks(pool.Config().ConnConfig), patience: statementLimit,
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
	if j.Limit == 0 {
		j.Limit = DefaultLimit
	}
	c.jobs[j.Key()] = job{Job: j, schedule: parsed}
	return nil
}

// Longest is how long a tick may take: as long as its longest job, the wait for that
// job's lock and the bookkeeping.
func (c *Cron) Longest() time.Duration {
	var limit time.Duration
	for _, j := range c.jobs {
		limit = max(limit, j.Limit)
	}
	return limit + lockWait + time.Minute
}

// Close ends the contexts of runs and waits for the ticks that began, which a
// handler that ignores its context holds up for a second at most.
func (c *Cron) Close() {
	c.mu.Lock()
	c.stop()
	c.mu.Unlock()
	c.ticks.Wait()
}

// begin counts a tick, which calls ticks.Done at its end.
func (c *Cron) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping.Err() != nil {
		return errStopping
	}
	c.ticks.Add(1)
	return nil
}
