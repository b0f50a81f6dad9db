package cron_test

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestTickRunsWhatHasBecomeDueSinceTheLast(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var minutely, hourly, never counter
	c := b.server(job("minutely", "* * * * *", minutely.run), job("hourly", "@hourly", hourly.run),
		job("never", "0 0 30 2 *", never.run))
	steps := []struct {
		name             string
		advance          time.Duration
		executed         int
		minutely, hourly int
	}{
		{"none ever ran", 0, 2, 1, 1},
		{"twice is safe", 0, 0, 1, 1},
		{"the end of the minute", 38 * time.Second, 0, 1, 1},
		{"the next minute", time.Second, 1, 2, 1},
		{"an hour missed makes one run", 2 * time.Hour, 2, 3, 2},
	}
	for _, s := range steps {
		b.clock.Advance(s.advance)
		require.Equal(t, s.executed, b.tick(c), s.name)
		require.Equal(t, s.minutely, minutely.count(), s.name)
		require.Equal(t, s.hourly, hourly.count(), s.name)
	}
	require.Zero(t, never.count())
	require.Equal(t, "2026-10-11T21:34:00.123456Z", b.lastRun("minutely"), "the moment the tick began")
	require.Equal(t, "2026-10-11T21:35:00Z", time.Time(*b.stored()["minutely"].NextRun).UTC().Format(time.RFC3339Nano))
	require.Nil(t, b.stored()["never"].NextRun)
}

// However one job ends, the others run, and it alone is due again.
func TestAJobThatFailsIsDueAgain(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	cases := []struct {
		name  string
		run   func(context.Context) error
		limit time.Duration
	}{
		{name: "an error", run: func(context.Context) error { return errors.New("no luck") }},
		{name: "a panic", run: func(context.Context) error { panic("at the disco") }},
		{name: "a nil of an error's type, whose text panics", run: func(context.Context) error { return (*fs.PathError)(nil) }},
		{name: "a panic with nil", run: func(context.Context) error { panic(nil) }},
		{
			name: "hanging", limit: time.Millisecond,
			run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		},
		{
			name: "hanging and deaf", limit: time.Millisecond,
			run: func(context.Context) error { <-over; return nil },
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			var before, after counter
			bad := job("bad", "* * * * *", c.run)
			bad.Limit = c.limit
			server := b.server(job("before", "* * * * *", before.run), bad, job("zafter", "* * * * *", after.run))

			require.Equal(t, 2, b.tick(server))

			require.Equal(t, 1, before.count())
			require.Equal(t, 1, after.count())
			require.Equal(t, "never", b.lastRun("bad"))
			require.NotEqual(t, "never", b.lastRun("before"))
			require.Zero(t, b.tick(server), "it fails again, the others are done")
		})
	}
}

// Ten callers and two servers at once: each due job once, and one after the other.
func TestManyCallersRunEachDueJobOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	const jobs, callers, rounds = 5, 10, 3
	counters := make([]counter, jobs)
	list := make([]cron.Job, jobs)
	for i := range list {
		list[i] = job(string(rune('a'+i)), "* * * * *", counters[i].run)
	}
	servers := []*cron.Cron{b.server(list...), b.server(list...)}
	for round := range rounds {
		var mu sync.Mutex
		total := 0
		var calls sync.WaitGroup
		for caller := range callers {
			calls.Go(func() {
				executed, err := servers[caller%2].Tick(t.Context())
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					total += executed
				}
			})
		}
		calls.Wait()
		require.Equal(t, jobs, total, "the sum of all N, round %d", round)
		for i := range counters {
			require.Equal(t, round+1, counters[i].count(), "round %d, job %d", round, i)
		}
		b.clock.Advance(time.Minute)
	}
}

func TestAJobNeverRunsTwiceAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	running, finish := make(chan struct{}), make(chan struct{})
	slow := job("slow", "* * * * *", func(context.Context) error { close(running); <-finish; return nil })
	first, second := b.server(slow), b.server(slow)
	done := make(chan int)
	go func() {
		executed, err := first.Tick(t.Context())
		if err != nil {
			executed = -1
		}
		done <- executed
	}()
	<-running

	b.clock.Advance(5 * time.Minute)
	require.Zero(t, b.tick(first), "the same server")
	require.Zero(t, b.tick(second), "another server")

	close(finish)
	require.Equal(t, 1, <-done)
	require.Equal(t, "2026-10-11T19:33:21.123456Z", b.lastRun("slow"), "when its tick began")
}

func TestJobsOfATickRunSideBySide(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var meeting sync.WaitGroup
	meeting.Add(3)
	meet := func(context.Context) error { meeting.Done(); meeting.Wait(); return nil }

	c := b.server(job("a", "* * * * *", meet), job("b", "* * * * *", meet), job("c", "* * * * *", meet))

	require.Equal(t, 3, b.tick(c))
}

func TestEveryTickRunsAJobThatIsNotDue(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var runs counter
	eager := job("eager", "* * * * *", runs.run)
	eager.EveryTick = true
	c := b.server(eager)
	require.Equal(t, 1, b.tick(c))
	b.clock.Advance(time.Second)

	require.Zero(t, b.tick(c), "not counted")

	require.Equal(t, 2, runs.count())
	require.Equal(t, "2026-10-11T19:33:21.123456Z", b.lastRun("eager"), "not recorded")
}

// A scheduler that hangs up does not end what it began.
func TestTheCallersContextDoesNotEndRuns(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := b.server(job("patient", "* * * * *", func(ctx context.Context) error { cancel(); return ctx.Err() }))

	executed, err := c.Tick(ctx)

	require.NoError(t, err)
	require.Equal(t, 1, executed)
}

func TestCloseEndsRuns(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	running := make(chan struct{})
	c := b.server(job("long", "* * * * *", func(ctx context.Context) error {
		close(running)
		<-ctx.Done()
		return context.Cause(ctx)
	}))
	done := make(chan int)
	go func() {
		executed, _ := c.Tick(context.WithoutCancel(t.Context()))
		done <- executed
	}()
	<-running

	c.Close()

	require.Zero(t, <-done)
	require.Equal(t, "never", b.lastRun("long"))
	_, err := c.Tick(t.Context())
	require.ErrorContains(t, err, "stopping")
}

func TestTickReportsFaultsOfTheBookkeeping(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var others counter
	c := b.server(job("sly", "* * * * *", func(ctx context.Context) error {
		_, err := b.pool.Exec(ctx, "DELETE FROM core_cron WHERE name = 'sly'")
		return err
	}), job("others", "* * * * *", others.run))

	executed, err := c.Tick(t.Context())

	require.Error(t, err, "a run that cannot be recorded")
	require.Equal(t, 1, executed)
	pgtest.Exec(t, b.pool, "ALTER TABLE core_cron RENAME TO gone")
	_, err = c.Tick(t.Context())
	require.Error(t, err)
}

func TestRunNow(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var runs counter
	c := b.server(job("good", "@daily", runs.run), job("bad", "@daily", func(context.Context) error { return errors.New("no luck") }))
	require.Equal(t, 1, b.tick(c))
	b.clock.Advance(time.Second)

	require.NoError(t, c.RunNow(t.Context(), b.stored()["good"].ID))

	require.Equal(t, 2, runs.count(), "though it was not due")
	require.Equal(t, "2026-10-11T19:33:22.123456Z", b.lastRun("good"))
	require.ErrorContains(t, c.RunNow(t.Context(), b.stored()["bad"].ID), "no luck")
	require.Equal(t, "never", b.lastRun("bad"))
	err := c.RunNow(t.Context(), "0199c0de-0000-7000-8000-000000000001")
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))
}

// A run that somebody asks for waits for one in progress, and is later than that.
func TestARunThatWaitedIsNotRecordedAsEarlier(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	c := b.server(job("hourly", "@hourly", nothing))
	id := b.stored()["hourly"].ID
	other, err := b.pool.Acquire(t.Context())
	require.NoError(t, err)
	defer other.Release()
	_, err = other.Exec(t.Context(), `SELECT pg_advisory_lock(hashtextextended('core_cron:' || $1, 0))`, id)
	require.NoError(t, err)
	asked := make(chan error, 1)
	go func() { asked <- c.RunNow(context.WithoutCancel(t.Context()), id) }()
	pgtest.Eventually(t, func() bool {
		return pgtest.One[bool](t, b.pool, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock(%')`)
	}, "the run waits")
	b.clock.Advance(time.Hour)
	pgtest.Exec(t, b.pool, `UPDATE core_cron SET last_run = now()`)
	_, err = other.Exec(t.Context(), `SELECT pg_advisory_unlock_all()`)
	require.NoError(t, err)

	require.NoError(t, <-asked)

	require.Equal(t, "2026-10-11T20:33:21.123456Z", b.lastRun("hourly"))
	require.Zero(t, b.tick(c), "what the other run did is not due again")
}

func TestTheAdapterTicks(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	ran := make(chan struct{}, 1)
	c, err := cron.New(b.pool, cron.Config{Adapter: true, Interval: time.Millisecond},
		job("minutely", "* * * * *", func(context.Context) error { ran <- struct{}{}; return nil }))
	require.NoError(t, err)
	require.NoError(t, c.Register(t.Context()))
	stop := platformtest.Run(t, c.Run)

	<-ran

	stop()
	c.Close()
	health, err := c.Health(t.Context())
	require.NoError(t, err)
	require.True(t, health.Active)
}

// A job that takes long, such as an erasure, does not delay what is due every minute.
func TestTheAdapterTicksWhileAJobRuns(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	running, finish, ticked := make(chan struct{}), make(chan struct{}), make(chan struct{})
	eager := job("eager", "* * * * *", func(context.Context) error {
		select {
		case ticked <- struct{}{}:
		case <-finish:
		}
		return nil
	})
	eager.EveryTick = true
	c, err := cron.New(b.pool, cron.Config{Interval: 50 * time.Millisecond},
		job("slow", "* * * * *", func(context.Context) error { close(running); <-finish; return nil }), eager)
	require.NoError(t, err)
	require.NoError(t, c.Register(t.Context()))
	stop := platformtest.Run(t, c.Run)
	<-running

	for range 3 {
		select {
		case <-ticked:
		case <-time.After(10 * time.Second):
			t.Error("no tick while a job runs")
		}
	}

	close(finish)
	stop()
	c.Close()
	require.Equal(t, "2026-10-11T19:33:21.123456Z", b.lastRun("slow"), "the adapter waits for its last tick")
}

// Nobody waits for a database that does not answer, and nothing is lost by it.
func TestATickGivesUpOnASilentDatabase(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var ran counter
	c := b.server(job("minutely", "* * * * *", ran.run))
	id := b.stored()["minutely"].ID
	c.SetPatience(time.Millisecond)
	silence := pgtest.Begin(t, b.pool)
	defer func() { require.NoError(t, silence.Rollback(t.Context())) }()
	pgtest.Exec(t, silence, "LOCK TABLE core_cron")

	_, err := c.Tick(t.Context())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, c.RunNow(t.Context(), id), context.DeadlineExceeded)
	require.Zero(t, ran.count())
}

// Given a server whose clock is ahead of the database's, then a job that goes by that clock is left to another server.
func TestAServerWhoseClockIsAheadLeavesJobsThatGoByIt(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var early, others counter
	timed := job("timed", "* * * * *", early.run)
	timed.ByOwnClock = true
	server := func(ahead time.Duration) *cron.Cron {
		c, err := cron.New(b.pool, cron.Config{Now: func() time.Time { return start.Add(ahead) }}, timed, job("other", "* * * * *", others.run))
		require.NoError(t, err)
		t.Cleanup(c.Close)
		require.NoError(t, c.Register(t.Context()))
		return c
	}
	require.Equal(t, 1, b.tick(server(6*time.Minute)))
	require.Equal(t, []int{0, 1}, []int{early.count(), others.count()})
	require.Equal(t, 1, b.tick(server(4*time.Minute)), "it is due still")
	require.Equal(t, []int{1, 1}, []int{early.count(), others.count()})
}
