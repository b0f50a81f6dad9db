package queue_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/queue"
)

func TestWorkersTakeTasksAsSoonAsTheyAreThere(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{Poll: time.Hour}) // only Wake can be what wakes them
	ran := make(chan queue.Attempt)
	b.handle("effect", func(_ context.Context, a queue.Attempt) error { ran <- a; return nil })
	b.start(b.Queue)
	for _, name := range []queue.Name{queue.Default, queue.Outbound} {
		id := b.enqueue(queue.Task{PluginID: plugin, Name: "effect", Queue: name})[0]
		b.Wake()
		select {
		case a := <-ran:
			require.Equal(t, id, a.TaskID)
		case <-time.After(20 * time.Second):
			t.Fatal("nobody woke up")
		}
		b.eventually(func() bool { return b.task(id).Status == queue.Completed }, "completed")
	}
}

func TestStoppingFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	running, finish := make(chan struct{}), make(chan struct{})
	b.handle("effect", func(context.Context, queue.Attempt) error { close(running); <-finish; return nil })
	id := b.enqueue(named("effect"))[0]
	stop := b.start(b.Queue)
	<-running
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()

	close(finish)
	<-stopped

	require.Equal(t, queue.Completed, b.task(id).Status)
}

func TestStoppingGivesBackWhatDoesNotFinish(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{StopGrace: time.Millisecond})
	running := make(chan struct{})
	b.handle("effect", func(ctx context.Context, _ queue.Attempt) error { close(running); <-ctx.Done(); return ctx.Err() })
	id := b.enqueue(queue.Task{PluginID: plugin, Name: "effect", MaxAttempts: 1})[0]
	stop := b.start(b.Queue)
	<-running

	stop()

	require.Equal(t, queue.Pending, b.task(id).Status, "though it was the last attempt")
}
