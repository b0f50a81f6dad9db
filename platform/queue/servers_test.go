package queue_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
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

// A task that no server handles stays, is listed and logged once, and can be failed.
func TestATaskThatNobodyHandledForAnHourIsUnhandled(t *testing.T) {
	t.Parallel()
	b := newBundle(t, queue.Config{})
	var log bytes.Buffer
	b.Queue = b.server(queue.Config{Log: zerolog.New(&log)})
	id := b.enqueue(named("mail"), queue.Task{PluginID: plugin, Name: "mail", Delay: time.Minute})[0]
	unhandled := func() int {
		page, err := b.List(t.Context(), queue.Paging.First(paging.MaxSize), queue.Unhandled)
		require.NoError(t, err)
		counts, err := b.Open(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, len(page.Edges), counts[queue.Unhandled])
		return len(page.Edges)
	}
	warn := func() { require.NoError(t, b.WarnUnhandled(t.Context())) }

	b.clock.Advance(time.Hour)
	warn()
	require.Zero(t, unhandled())
	_, err := b.Fail(t.Context(), id)
	require.Equal(t, domain.CodeInvalidState, domain.ErrorCode(err))
	_, err = b.Fail(t.Context(), "0199c0de-0000-7000-8000-000000000001")
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))

	b.clock.Advance(time.Microsecond)
	warn()
	warn()
	require.Equal(t, 1, unhandled())
	require.Equal(t, 1, strings.Count(log.String(), `"task":"test:mail"`), log.String())

	// When a server that handles it runs, then the task only waits for it.
	pgtest.Exec(t, b.pool, `INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at)
		VALUES (gen_random_uuid(), 'v1', '{}', '{test:mail}', $1, $1)`, b.clock.Now())
	require.Zero(t, unhandled())
	b.clock.Advance(3 * time.Minute)
	require.Equal(t, 2, unhandled(), "that server is gone")

	failed, err := b.Fail(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, queue.Failed, failed.Status)
	require.Equal(t, 1, unhandled())
}
