package cron_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/queue"
)

func TestTheQueueIsDrainedOnEveryCall(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	q, err := queue.New(b.pool, queue.Config{})
	require.NoError(t, err)
	var ran counter
	require.NoError(t, q.Handle("test", "effect", queue.Handler{
		Run: func(ctx context.Context, _ queue.Attempt) error { return ran.run(ctx) },
	}))
	c := b.server(cron.QueueJobs(q)...)
	enqueue := func() {
		task := queue.Task{PluginID: "test", Name: "effect"}
		require.NoError(t, queue.EnqueueTx(t.Context(), b.pool, task))
	}
	enqueue()
	require.Equal(t, 3, b.tick(c), "drain, trim and warn, for the first time")
	require.Equal(t, 1, ran.count())

	enqueue()
	b.clock.Advance(time.Second)
	require.Zero(t, b.tick(c), "neither is due")

	require.Equal(t, 2, ran.count())
	require.Equal(t, "* * * * *", b.stored()["process"].Schedule)
	require.Equal(t, "@platform/core:queue:process", b.stored()["process"].Key())
}
