package cron_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestNewReportsEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	good := job("good", "* * * * *", nothing)
	negative := job("negative", "* * * * *", nothing)
	negative.Limit = -1

	_, err := cron.New(b.pool, cron.Config{}, good, good, negative,
		job("idle", "* * * * *", nil), job("odd", "every day", nothing), job("", "* * * * *", nothing))

	require.ErrorContains(t, err, "test:jobs:good: it is registered twice")
	require.ErrorContains(t, err, "test:jobs:negative: the limit")
	require.ErrorContains(t, err, "test:jobs:idle: there is nothing")
	require.ErrorContains(t, err, "test:jobs:odd: schedule")
	require.ErrorContains(t, err, "test:jobs:: plugin, module and name")
}

func TestATickMayTakeAsLongAsItsLongestJob(t *testing.T) {
	t.Parallel()
	long := job("long", "@daily", nothing)
	long.Limit = time.Hour
	c := newBundle(t).server(job("short", "@daily", nothing), long)
	require.Greater(t, c.Longest(), time.Hour)
}

func TestRegisterKeepsTheLastRun(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	old := b.server(job("kept", "@daily", nothing))
	require.Equal(t, 1, b.tick(old))
	before := b.stored()["kept"]
	changed := job("kept", "@hourly", nothing)
	changed.Description = "as it is now"

	b.clock.Advance(time.Minute)
	b.server(changed, job("added", "@daily", nothing))

	stored := b.stored()
	require.Len(t, stored, 2)
	kept := stored["kept"]
	require.Equal(t, before.ID, kept.ID)
	require.Equal(t, before.LastRun, kept.LastRun)
	require.Equal(t, before.CreatedAt, kept.CreatedAt)
	require.Equal(t, "@hourly", kept.Schedule)
	require.Equal(t, "as it is now", kept.Description)
	require.Equal(t, "2026-10-11T20:00:00Z", time.Time(*kept.NextRun).UTC().Format(time.RFC3339))
	require.Equal(t, "never", b.lastRun("added"))
	require.Equal(t, stored["added"].CreatedAt, *stored["added"].NextRun, "due at once")
}

func TestServersMayRegisterAtOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	require.Equal(t, map[domain.Code]int{"": 8}, platformtest.Outcomes(8, func(int) error {
		c, err := cron.New(b.pool, cron.Config{}, job("a", "@daily", nothing), job("b", "@daily", nothing))
		if err == nil {
			err = c.Register(t.Context())
		}
		return err
	}))
	require.Len(t, b.stored(), 2)
}

func TestListOrders(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.server(job("early", "@daily", nothing))
	b.clock.Advance(time.Second)
	c := b.server(job("early", "@daily", nothing), job("never", "0 0 30 2 *", nothing), job("late", "* * * * *", nothing))
	stored := b.stored()
	require.NoError(t, c.RunNow(t.Context(), stored["early"].ID))
	b.clock.Advance(time.Second)
	require.NoError(t, c.RunNow(t.Context(), stored["late"].ID))
	cases := []struct {
		query string
		want  []string
	}{
		{"", []string{"never", "late", "early"}},
		{"order=asc", []string{"early", "late", "never"}},
		{"orderBy=nextRun", []string{"late", "early", "never"}},
		{"first=1", []string{"never"}},
		{"last=1", []string{"early"}},
	}
	for _, tc := range cases {
		query, err := url.ParseQuery(tc.query)
		require.NoError(t, err)
		r, err := cron.Paging.Parse(query)
		require.NoError(t, err)
		page, err := c.List(t.Context(), r)
		require.NoError(t, err)
		var got []string
		for _, s := range page.Edges {
			got = append(got, s.Name)
		}
		require.Equal(t, tc.want, got, tc.query)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	c := b.server(job("minutely", "* * * * *", nothing), job("daily", "@daily", nothing), job("never", "0 0 30 2 *", nothing))
	require.Equal(t, cron.Health{Jobs: 3}, b.health(c), "nothing ran yet, nor had to")
	require.Equal(t, 2, b.tick(c))
	h := b.health(c)
	require.False(t, h.Stale)
	require.Zero(t, h.OverdueJobs)
	require.True(t, time.Time(*h.LastRun).Equal(start))

	b.clock.Advance(15 * time.Minute)
	require.False(t, b.health(c).Stale)
	b.clock.Advance(time.Minute)
	h = b.health(c)
	require.True(t, h.Stale)
	require.Equal(t, 1, h.OverdueJobs, "the daily one is not due")

	t.Log("the last run decides what is due, so it also decides what is overdue")
	b.tick(c)
	require.Zero(t, b.health(c).OverdueJobs)
	pgtest.Exec(t, b.pool, "UPDATE core_cron SET last_run = $1 WHERE name = 'minutely'", start.Add(-time.Hour))
	require.Equal(t, 1, b.health(c).OverdueJobs)
	require.Equal(t, 1, b.tick(c), "as it is due")
}

// A server that was just set up has run nothing, which is no fault until its
// scheduler has had time to call.
func TestNothingRanIsStaleOnceAJobHasWaited(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	c := b.server(job("minutely", "* * * * *", nothing))
	for _, step := range []struct {
		later time.Duration
		stale bool
	}{
		{0, false},
		{15 * time.Minute, false},
		{time.Second, true},
	} {
		b.clock.Advance(step.later)
		h := b.health(c)
		require.Nil(t, h.LastRun)
		require.Equal(t, step.stale, h.Stale, "%s later", step.later)
	}
}
