package cron

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/docketmod/docket/domain"
)

// Causes for which the context of a run ends early.
var (
	errLimit    = errors.New("the job took longer than its limit")
	errStopping = errors.New("the server is stopping")
	errLockLost = errors.New("the lock of the job was lost with its connection")
	errBusy     = errors.New("the job is running elsewhere")
)

// lockWait bounds how long a run waits for another run of the same job, if it waits at
// all.
const lockWait = 30 * time.Second

// Tick runs the due jobs and the EveryTick jobs concurrently, and returns how many due ones
// succeeded. A job that fails or is already running stays due. The error is never a job's.
//
// Runs do not end with ctx, since a scheduler may hang up. They end at their own limits
// or at Close.
func (c *Cron) Tick(ctx context.Context) (executed int, err error) {
	if err := c.begin(); err != nil {
		return 0, err
	}
	defer c.ticks.Done()
	began, stored, err := c.load(ctx)
	if err != nil {
		return 0, err
	}

	ctx = context.WithoutCancel(ctx)
	var (
		mu     sync.Mutex
		runs   sync.WaitGroup
		faults []error
	)
	for key, row := range stored {
		j, known := c.jobs[key]
		if !known || !j.EveryTick && !j.schedule.Due(row.LastRun, began) {
			continue
		}
		runs.Go(func() {
			recorded, err := c.run(ctx, j, row.ID, began, false)
			mu.Lock()
			defer mu.Unlock()
			if recorded {
				executed++
			}
			if _, ok := errors.AsType[*bookkeepingError](err); ok {
				faults = append(faults, err)
			}
		})
	}
	runs.Wait()
	return executed, errors.Join(faults...)
}

// RunNow runs one job, even if it is not due, and records it like a tick. The error is not_found,
// invalid_state if the job is still running after half a minute or only other servers have it,
// the job's error, or an error of the database.
func (c *Cron) RunNow(ctx context.Context, id string) error {
	if err := c.begin(); err != nil {
		return err
	}
	defer c.ticks.Done()
	began, stored, err := c.load(ctx)
	if err != nil {
		return err
	}
	for key, row := range stored {
		if row.ID != id {
			continue
		}
		j, known := c.jobs[key]
		if !known {
			return domain.Errorf(domain.CodeInvalidState, "This server does not have the job: it is another server's.")
		}
		_, err := c.run(context.WithoutCancel(ctx), j, id, began, true)
		if errors.Is(err, errBusy) {
			return domain.Errorf(domain.CodeInvalidState, "The job is running at the moment.")
		}
		return err
	}
	return domain.NotFound()
}

// load returns the time and the stored jobs. It has a timeout, since callers may wait without a
// deadline for a database that does not respond.
func (c *Cron) load(ctx context.Context) (time.Time, map[string]stored, error) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	now, stored, err := loadJobs(ctx, c.pool)
	if err != nil {
		return time.Time{}, nil, fmt.Errorf("load scheduled jobs: %w", err)
	}
	return now, stored, nil
}
