package cron

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/schedule"
)

// DefaultLimit bounds a run of a job whose Limit is zero.
const DefaultLimit = 5 * time.Minute

// Job is a function with a schedule. It must be idempotent, since a run that could not
// be recorded is repeated.
type Job struct {
	PluginID    string
	Module      string
	Name        string
	Description string
	Schedule    string        // see schedule.Parse
	Limit       time.Duration // default DefaultLimit
	// EveryTick runs the job on each tick, even when it is not due. Only due runs are
	// counted and recorded.
	EveryTick bool
	// ByOwnClock means that the job uses its server's clock. It fails while that is further ahead of the database's
	// than maxAhead, since work that is done too early may be irreversible.
	ByOwnClock bool
	// Run must return soon after its context ends: at the limit, when the lock is lost,
	// or when the server stops.
	Run func(ctx context.Context) error
}

// Key identifies the job.
func (j Job) Key() string { return j.PluginID + ":" + j.Module + ":" + j.Name }

type job struct {
	Job
	schedule schedule.Schedule
}
