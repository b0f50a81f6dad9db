package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

// Given two servers of different settings, then each takes only what it has a handler for,
// whichever looks first.
func TestAServerTakesOnlyTasksThatItHandles(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{Concurrency: map[queue.Name]int{queue.Default: 1}})
	b.handle("effect", nothing)
	ids := b.enqueue(queue.Task{PluginID: plugin, Name: "mail", Priority: 9}, named("effect"))

	b.drain()
	require.Equal(t, queue.Pending, b.task(ids[0]).Status)
	require.Zero(t, b.task(ids[0]).Attempts)
	require.Equal(t, queue.Completed, b.task(ids[1]).Status, "though the other task goes first")

	other := b.server(queue.Config{})
	require.NoError(t, other.Handle(plugin, "mail", queue.Handler{Run: nothing}))
	require.NoError(t, other.Drain(t.Context()))
	require.Equal(t, queue.Completed, b.task(ids[0]).Status)
	require.EqualValues(t, 1, b.task(ids[0]).Attempts)
}

// Given a server whose clock is off by an hour, then it takes what is due by the database's
// clock, and its leases and retries count from there.
func TestDueTimesAndLeasesAreByTheDatabasesClock(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]time.Duration{"ahead": -time.Hour, "behind": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBundleInTime(t, queue.Config{})
			b.clock = pgtest.SetClock(t, b.pool, time.Now().Add(off))
			b.handle("bad", fails("no luck"))
			ids := b.enqueue(named("bad"), queue.Task{PluginID: plugin, Name: "bad", Delay: time.Second})
			require.Equal(t, b.clock.Now(), b.task(ids[0]).CreatedAt.UTC())
			require.Equal(t, b.clock.Now(), b.task(ids[0]).AvailableAt.UTC())

			b.drain()

			require.WithinRange(t, b.task(ids[0]).AvailableAt, b.clock.Now().Add(10*time.Second), b.clock.Now().Add(12*time.Second))
			require.Zero(t, b.task(ids[1]).Attempts, "not due yet")

			_, err := b.pool.Exec(t.Context(), "UPDATE core_queue SET status = 'processing', locked_until = $1", b.clock.Now())
			require.NoError(t, err)
			b.drain()
			require.Equal(t, queue.Processing, b.task(ids[0]).Status, "the lease of another server has not ended")
			b.clock.Advance(time.Microsecond)
			b.drain()
			require.Nil(t, b.task(ids[0]).LockedUntil)
		})
	}
}
