package cron

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/eventstore/postgres/sessionlock"
)

// unresponsive is how long a handler may run after its context has ended before it is abandoned. It holds its lock for
// as long as it runs.
const unresponsive = time.Second

// bookkeepingError is an error of the database, not of a job.
type bookkeepingError struct{ cause error }

func (e *bookkeepingError) Error() string { return "scheduled jobs: " + e.cause.Error() }
func (e *bookkeepingError) Unwrap() error { return e.cause }

// run runs one job under its lock and reports whether the run was recorded. Unless asked is set, by RunNow, a job that
// is not due runs only if it is an EveryTick job, and is not recorded.
func (c *Cron) run(ctx context.Context, j job, id string, began time.Time, asked bool) (recorded bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer context.AfterFunc(c.stopping, func() { cancel(errStopping) })()
	held, err := c.acquire(ctx, j, id, asked, cancel)
	if err != nil {
		cancel(nil)
		return false, err
	}
	// It is released here, or by the handler's goroutine if it is abandoned.
	release := func() {
		held.Release()
		cancel(nil)
	}

	due, now, err := c.dueStill(ctx, held, j, id, began)
	if err != nil || (!due && !asked && !j.EveryTick) {
		release()
		return false, err
	}
	if asked {
		began = now // later than the run that it waited for
	}
	if ahead := c.now().Sub(now); j.ByOwnClock && ahead > maxAhead {
		j.Run = func(context.Context) error {
			return fmt.Errorf("this server's clock is %s ahead of the database's", ahead.Round(time.Second))
		}
	}
	done := make(chan error, 1)
	limited, stop := context.WithTimeoutCause(ctx, j.Limit, errLimit)
	go func() {
		done <- j.call(limited)
		stop()
	}()
	returned, err := await(limited, done)
	if !returned {
		go func() {
			<-done //nolint:errcheck // its late result does not matter
			release()
		}()
	} else {
		defer release()
	}
	if err != nil {
		c.log.Error().Err(err).Str("job", j.Key()).Msg("scheduled job failed; it is due again")
		return false, errors.New("job " + j.Key() + ": " + err.Error()) // the caller of RunNow must not see the code of a job's error
	}
	if !due && !asked {
		return false, nil
	}
	if err := c.record(held, j, id, began); err != nil {
		c.log.Error().Err(err).Str("job", j.Key()).Msg("the run of a scheduled job is not recorded; it is due again")
		return false, err
	}
	return true, nil
}

// acquire takes the lock of the job. An EveryTick job and RunNow wait for it. Otherwise it returns errBusy if a run is
// in progress.
func (c *Cron) acquire(ctx context.Context, j job, id string, asked bool, lost context.CancelCauseFunc) (*sessionlock.Lock, error) {
	wait := time.Duration(0)
	if j.EveryTick || asked {
		wait = lockWait
	}
	held, err := c.locks.Acquire(ctx, "core_cron:"+id, wait, func() { lost(errLockLost) })
	switch {
	case errors.Is(err, sessionlock.ErrTaken):
		return nil, errBusy
	case err != nil && c.stopping.Err() != nil:
		return nil, errStopping
	case err != nil:
		c.log.Error().Err(err).Str("job", j.Key()).Msg("the lock of a scheduled job could not be asked for")
		return nil, &bookkeepingError{err}
	}
	return held, nil
}

// dueStill checks again under the lock, since another tick may have just run the job. It also returns the database's
// time.
func (c *Cron) dueStill(ctx context.Context, held *sessionlock.Lock, j job, id string, began time.Time) (due bool, now time.Time, err error) {
	var lastRun *time.Time
	if err := held.QueryRow(ctx, "SELECT last_run, now() FROM core_cron WHERE id = $1", []any{id}, &lastRun, &now); err != nil {
		return false, now, &bookkeepingError{err}
	}
	return j.schedule.Due(lastRun, began), now, nil
}

// record stores the last run through the connection that holds the lock, so that it fails if the lock is lost.
func (c *Cron) record(held *sessionlock.Lock, j job, id string, began time.Time) error {
	var stored string
	err := held.QueryRow(context.Background(),
		"UPDATE core_cron SET last_run = $2, next_run = $3 WHERE id = $1 RETURNING id::text",
		[]any{id, began, j.nextRun(&began, began)}, &stored)
	if err != nil {
		return &bookkeepingError{err}
	}
	return nil
}

// await waits for the handler until shortly after its context ends.
func await(ctx context.Context, done <-chan error) (returned bool, err error) {
	select {
	case err := <-done:
		return true, err
	case <-ctx.Done():
	}
	timer := time.NewTimer(unresponsive)
	defer timer.Stop()
	select {
	case err := <-done:
		return true, err
	case <-timer.C:
		return false, context.Cause(ctx)
	}
}

// call runs the job. It returns a panic as an error, and adds to an error why the context has ended.
func (j job) call(ctx context.Context) error {
	err := call.Safely("job", j.Key(), func() error { return j.Run(ctx) })
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
