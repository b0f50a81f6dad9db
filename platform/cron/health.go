package cron

import (
	"context"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
)

// overdueAfter is how long after its due time a job counts as overdue.
const overdueAfter = 15 * time.Minute

// Health describes whether scheduled jobs run.
type Health struct {
	Active      bool         `json:"active"` // an adapter is registered
	Jobs        int          `json:"jobs"`
	LastRun     *domain.Time `json:"lastRun"`     // of any job
	OverdueJobs int          `json:"overdueJobs"` // more than 15 minutes past due
	Stale       bool         `json:"stale"`       // nothing ran in those 15 minutes, though a job existed all along
}

// Health reads the state of all jobs.
func (c *Cron) Health(ctx context.Context) (Health, error) {
	now, stored, err := loadJobs(ctx, c.pool)
	if err != nil {
		return Health{}, fmt.Errorf("health of scheduled jobs: %w", err)
	}
	h := Health{Active: c.adapter, Jobs: len(stored)}
	since := now.Add(-overdueAfter)
	var last *time.Time
	waiting := false // a job that existed for all that time
	for key, row := range stored {
		if row.LastRun != nil && (last == nil || row.LastRun.After(*last)) {
			last = row.LastRun
		}
		waiting = waiting || row.CreatedAt.Before(since)
		next := row.NextRun
		j, known := c.jobs[key]
		if known { // a tick uses the same condition
			next = j.nextRun(row.LastRun, row.CreatedAt)
		} else if row.RegisteredAt.Before(since) { // no server has it any more
			continue
		}
		if next != nil && next.Before(since) {
			h.OverdueJobs++
		}
	}
	h.LastRun = domain.TimeOf(last)
	h.Stale = waiting && (last == nil || last.Before(since))
	return h, nil
}
