package queue_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

func TestLeasesAreExtendedWhileHandlersRun(t *testing.T) {
	t.Parallel()
	b := newBundleInTime(t, queue.Config{Lease: time.Second})
	running, finish := make(chan struct{}), make(chan struct{})
	b.handle("effect", func(ctx context.Context, _ queue.Attempt) error {
		close(running)
		<-finish
		return ctx.Err()
	})
	id := b.enqueue(named("effect"))[0]
	b.start(b.Queue)
	<-running
	first := time.Time(*b.task(id).LockedUntil)

	b.eventually(func() bool {
		return time.Time(*b.task(id).LockedUntil).After(first.Add(1500 * time.Millisecond))
	}, "beyond its length")
	close(finish)

	b.eventually(func() bool { return b.task(id).Status == queue.Completed }, "still its own")
	require.EqualValues(t, 1, b.task(id).Attempts)
}

// Given a worker that is cut off until its lease has ended and another has
// taken its task, then what it says about the task changes nothing, and the
// context of its handler ends.
func TestAnAttemptWhoseLeaseEndedSettlesNothing(t *testing.T) {
	t.Parallel()
	// The lease is extended by nobody within the test, and the one that loses it has no worker left
	// to take its own task again.
	b := newBundle(t, queue.Config{Lease: time.Hour, Concurrency: map[queue.Name]int{queue.Default: 1}})
	first := make(chan struct{})
	finishFirst := make(chan struct{})
	b.handle("effect", func(_ context.Context, a queue.Attempt) error {
		close(first)
		<-finishFirst
		return nil
	})
	id := b.enqueue(named("effect"))[0]
	stopFirst := b.start(b.Queue)
	<-first

	other := b.server(queue.Config{Lease: 2 * time.Hour})
	second, finishSecond := make(chan struct{}), make(chan struct{})
	require.NoError(t, other.Handle(plugin, "effect", queue.Handler{Run: func(context.Context, queue.Attempt) error {
		close(second)
		<-finishSecond
		return queue.Permanent(context.Canceled)
	}}))
	b.clock.Advance(time.Hour + time.Microsecond)
	stopSecond := b.start(other)
	<-second
	require.EqualValues(t, 2, b.task(id).Attempts)

	close(finishFirst)
	stopFirst()
	require.Equal(t, queue.Processing, b.task(id).Status, "the second attempt's")
	close(finishSecond)
	stopSecond()
	require.Equal(t, queue.Failed, b.task(id).Status, "by the second attempt")
}

func TestALostLeaseEndsTheContextOfItsHandler(t *testing.T) {
	t.Parallel()
	b := newBundleInTime(t, queue.Config{Lease: 500 * time.Millisecond})
	running, ended := make(chan struct{}), make(chan error, 1)
	b.handle("effect", func(ctx context.Context, _ queue.Attempt) error {
		close(running)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	})
	id := b.enqueue(named("effect"))[0]
	b.start(b.Queue)
	<-running

	pgtest.Exec(t, b.pool, "UPDATE core_queue SET status = 'failed', locked_until = NULL WHERE id = $1", id)

	require.ErrorContains(t, <-ended, "lease")
	require.Equal(t, queue.Failed, b.task(id).Status)
}

func TestATaskThatKeepsKillingItsWorkersFails(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	id := b.enqueue(queue.Task{PluginID: plugin, Name: "effect", MaxAttempts: 1})[0]
	pgtest.Exec(t, b.pool, "UPDATE core_queue SET status = 'processing', attempts = 1, locked_until = $1", b.clock.Now())
	b.drain()
	require.Equal(t, queue.Processing, b.task(id).Status, "the lease of another server has not ended")
	b.clock.Advance(time.Microsecond)

	b.drain()

	require.Equal(t, queue.Failed, b.task(id).Status)
	require.Contains(t, *b.task(id).LastError, "lease")
}
