package cron

import (
	"context"
	"fmt"
	"time"
)

// overdueAfter is how far past due a job alarms (contract section 6).
const overdueAfter = 15 * time.Minute

// Health tells whether the jobs run.
type Health struct {
	Active      bool // an adapter is registered (spec 5.2.6)
	Jobs        int
	LastRun     *time.Time // of any job
	OverdueJobs int        // more than 15 minutes past due
	Stale       bool       // nothing ran in those 15 minutes
}

// Health reads the state of all jobs.
func (c *Cron) Health(ctx context.Context) (Health, error) {
	h := Health{Active: c.adapter}
	since := c.now().Add(-overdueAfter)
	err := c.pool.QueryRow(ctx,
		"SELECT count(*), max(last_run), count(*) FILTER (WHERE next_run < $1) FROM core_cron", since,
	).Scan(&h.Jobs, &h.LastRun, &h.OverdueJobs)
	if err != nil {
		return Health{}, fmt.Errorf("health of scheduled jobs: %w", err)
	}
	h.Stale = h.LastRun == nil || h.LastRun.Before(since)
	return h, nil
}
