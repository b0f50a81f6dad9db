package queue_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

func TestTaskRunsOnlyWhenItsTransactionCommits(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{true, false} {
		b := newBundle(t, queue.Config{})
		var ran []any
		b.handle("effect", func(_ context.Context, a queue.Attempt) error {
			ran = append(ran, payload(t, a))
			return nil
		})
		tx := pgtest.Begin(t, b.pool)
		batch := &pgx.Batch{}
		require.NoError(t, queue.Enqueue(batch, queue.Task{PluginID: plugin, Name: "effect", Payload: "in \x00 batch"}))
		require.NoError(t, tx.SendBatch(t.Context(), batch).Close())
		b.drain()
		require.Empty(t, ran, "before the end of the transaction")
		if commits {
			require.NoError(t, tx.Commit(t.Context()))
		} else {
			require.NoError(t, tx.Rollback(t.Context()))
		}

		b.drain()

		if commits {
			require.Equal(t, []any{"in \x00 batch"}, ran)
		} else {
			require.Empty(t, ran)
		}
	}
}

func TestEnqueueRefuses(t *testing.T) {
	t.Parallel()
	for name, task := range map[string]queue.Task{
		"no plugin":            {Name: "effect"},
		"no name":              {PluginID: plugin},
		"an unknown queue":     {PluginID: plugin, Name: "effect", Queue: "elsewhere"},
		"negative attempts":    {PluginID: plugin, Name: "effect", MaxAttempts: -1},
		"a payload of no JSON": {PluginID: plugin, Name: "effect", Payload: func() {}},
	} {
		batch := &pgx.Batch{}
		require.Error(t, queue.Enqueue(batch, named("good"), task), name)
		require.Zero(t, batch.Len(), name)
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name        string
		run         func(context.Context, queue.Attempt) error
		limit       time.Duration
		maxAttempts int
		status      queue.Status
		lastError   string
	}{
		{name: "done", run: nothing, status: queue.Completed},
		{name: "an error", run: fails("no luck"), status: queue.Pending, lastError: "no luck"},
		{name: "an error that PostgreSQL would not store", run: fails("a\x00b\xffc"), status: queue.Pending, lastError: "abc"},
		{name: "a very long error", run: fails(strings.Repeat("é", 5000)), status: queue.Pending, lastError: "éé"},
		{name: "an error at the last attempt", run: fails("no luck"), maxAttempts: 1, status: queue.Failed, lastError: "no luck"},
		{
			name:   "a permanent error",
			run:    func(context.Context, queue.Attempt) error { return queue.Permanent(errors.New("never")) },
			status: queue.Failed, lastError: "never",
		},
		{
			name:   "a panic",
			run:    func(context.Context, queue.Attempt) error { panic("at the disco") },
			status: queue.Pending, lastError: "panic: at the disco",
		},
		{
			name:   "a nil of an error's type, whose text panics",
			run:    func(context.Context, queue.Attempt) error { return (*fs.PathError)(nil) },
			status: queue.Pending, lastError: "panic: runtime error",
		},
		{
			name: "too long", limit: time.Millisecond,
			run:    func(ctx context.Context, _ queue.Attempt) error { <-ctx.Done(); return ctx.Err() },
			status: queue.Pending, lastError: "longer than its limit",
		},
		{name: "too long and deaf", limit: time.Millisecond, run: deaf(t), status: queue.Pending, lastError: "longer than its limit"},
		{
			name: "done just in time", limit: time.Millisecond,
			run:    func(ctx context.Context, _ queue.Attempt) error { <-ctx.Done(); return nil },
			status: queue.Completed,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, queue.Config{})
			require.NoError(t, b.Handle(plugin, "effect", queue.Handler{Run: c.run, Limit: c.limit}))
			b.handle("other", nothing)
			ids := b.enqueue(queue.Task{PluginID: plugin, Name: "effect", MaxAttempts: c.maxAttempts}, named("other"))

			b.drain()

			task := b.task(ids[0])
			require.Equal(t, c.status, task.Status)
			require.EqualValues(t, 1, task.Attempts)
			require.Nil(t, task.LockedUntil)
			require.Equal(t, c.status == queue.Completed, task.CompletedAt != nil)
			if c.lastError == "" {
				require.Nil(t, task.LastError)
			} else {
				require.Contains(t, *task.LastError, c.lastError)
				require.LessOrEqual(t, len(*task.LastError), 4000)
			}
			if c.status == queue.Pending {
				wait := time.Time(task.AvailableAt).Sub(b.clock.Now())
				require.GreaterOrEqual(t, wait, 10*time.Second)
				require.LessOrEqual(t, wait, 12*time.Second)
			}
			require.Equal(t, queue.Completed, b.task(ids[1]).Status, "the other task")
		})
	}
}

func fails(text string) func(context.Context, queue.Attempt) error {
	return func(context.Context, queue.Attempt) error { return errors.New(text) }
}

// deaf is a handler that ignores its context until the test is over.
func deaf(t *testing.T) func(context.Context, queue.Attempt) error {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(context.Context, queue.Attempt) error { <-over; return nil }
}

func TestRetriesBackOffAndEndInFailed(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	var numbers []int
	var last []bool
	b.handle("effect", func(_ context.Context, a queue.Attempt) error {
		numbers, last = append(numbers, a.Number), append(last, a.Last)
		return errors.New("no luck")
	})
	id := b.enqueue(queue.Task{PluginID: plugin, Name: "effect", MaxAttempts: 3})[0]

	b.drain()
	b.clock.Advance(9 * time.Second)
	b.drain()
	require.Equal(t, []int{1}, numbers, "too early")
	b.clock.Advance(3 * time.Second)
	b.drain()
	require.Equal(t, queue.Pending, b.task(id).Status)
	b.clock.Advance(24 * time.Second)
	b.drain()

	require.Equal(t, []int{1, 2, 3}, numbers)
	require.Equal(t, []bool{false, false, true}, last)
	require.Equal(t, queue.Failed, b.task(id).Status)
	b.clock.Advance(24 * time.Hour)
	b.drain()
	require.Len(t, numbers, 3, "a failed task stays failed")
}

func TestRetryByHand(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	fault := errors.New("no luck")
	b.handle("effect", func(context.Context, queue.Attempt) error { return fault })
	id := b.enqueue(queue.Task{PluginID: plugin, Name: "effect", MaxAttempts: 1})[0]

	_, err := b.Retry(t.Context(), id)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err), "a pending task")
	_, err = b.Retry(t.Context(), "0199c0de-0000-7000-8000-000000000001")
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))

	b.drain()
	task, err := b.Retry(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, queue.Pending, task.Status)
	require.EqualValues(t, 2, task.MaxAttempts)
	fault = nil
	b.drain()
	require.Equal(t, queue.Completed, b.task(id).Status)
}

func TestUrgentTasksGoFirst(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{Concurrency: map[queue.Name]int{queue.Default: 1}})
	var order []any
	b.handle("effect", func(_ context.Context, a queue.Attempt) error {
		order = append(order, payload(t, a))
		return nil
	})
	task := func(p string, priority int16, delay time.Duration) queue.Task {
		return queue.Task{PluginID: plugin, Name: "effect", Payload: p, Priority: priority, Delay: delay}
	}
	b.enqueue(
		task("usual", 0, 0), task("late", 0, -time.Hour), task("idle", -5, -2*time.Hour),
		task("urgent", 9, 0), task("future", 99, time.Second))

	b.drain()

	require.Equal(t, []any{"urgent", "late", "usual", "idle"}, order)
}

func TestDrainTakesWhatTasksEnqueue(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	var mu sync.Mutex
	depths := map[any]int{}
	b.handle("effect", func(ctx context.Context, a queue.Attempt) error {
		depth := payload(t, a).(float64)
		mu.Lock()
		depths[depth]++
		mu.Unlock()
		if depth == 3 {
			return nil
		}
		next := queue.Task{PluginID: plugin, Name: "effect", Payload: depth + 1}
		return queue.EnqueueTx(ctx, b.pool, next, next)
	})
	b.enqueue(queue.Task{PluginID: plugin, Name: "effect", Payload: 0})

	b.drain()

	require.Equal(t, map[any]int{0.0: 1, 1.0: 2, 2.0: 4, 3.0: 8}, depths)
}

func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{DrainBudget: 50 * time.Millisecond})
	b.handle("slow", func(ctx context.Context, _ queue.Attempt) error { <-ctx.Done(); return ctx.Err() })
	id := b.enqueue(named("slow"))[0]

	b.drain()

	task := b.task(id)
	require.Equal(t, queue.Pending, task.Status)
	require.Equal(t, b.clock.Now(), time.Time(task.AvailableAt).UTC(), "at once: it is no fault of the task")
	require.Contains(t, *task.LastError, "stopping")
}

func TestHandlersAreRegisteredOnce(t *testing.T) {
	t.Parallel()
	q := queue.New(newBundle(t, queue.Config{}).pool, queue.Config{})
	require.NoError(t, q.Handle(plugin, "effect", queue.Handler{Run: nothing}))
	require.Error(t, q.Handle(plugin, "effect", queue.Handler{Run: nothing}))
	require.Error(t, q.Handle(plugin, "", queue.Handler{Run: nothing}))
	require.Error(t, q.Handle(plugin, "other", queue.Handler{}))
}

func TestListAndTrim(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	b.handle("good", nothing)
	b.handle("bad", func(context.Context, queue.Attempt) error { return queue.Permanent(errors.New("no")) })
	b.enqueue(named("good"), named("bad"))
	b.drain()
	b.clock.Advance(queue.KeepCompleted)
	b.enqueue(named("good"))
	b.drain()
	list := func(statuses ...queue.Status) (found []string) {
		page, err := b.List(t.Context(), queue.Paging.First(paging.MaxSize), statuses...)
		require.NoError(t, err)
		for _, task := range page.Edges {
			found = append(found, task.Name+" "+string(task.Status))
		}
		return found
	}
	require.Len(t, list(), 3)
	require.Equal(t, []string{"good completed"}, list()[:1], "the newest first")
	require.Equal(t, []string{"bad failed"}, list(queue.Failed))
	require.Empty(t, list(queue.Pending, queue.Processing))
	counts, err := b.Open(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[queue.Status]int64{queue.Pending: 0, queue.Processing: 0, queue.Failed: 1, queue.Unhandled: 0}, counts)

	trimmed, err := b.Trim(t.Context())
	require.NoError(t, err)
	require.Zero(t, trimmed, "exactly seven days are kept")
	b.clock.Advance(time.Microsecond)
	trimmed, err = b.Trim(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, trimmed)
	require.Equal(t, []string{"good completed", "bad failed"}, list(), "failed tasks are kept")
}
