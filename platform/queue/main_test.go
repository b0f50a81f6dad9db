package queue_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
)

// TestMain also is the server that TestKilledServer kills.
func TestMain(m *testing.M) {
	if url := os.Getenv(workerURL); url != "" {
		fmt.Fprintln(os.Stderr, serve(url))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const plugin = "test"

var start = time.Date(2026, 10, 11, 19, 33, 21, 0, time.UTC)

// bundle is a queue on a database of its own.
type bundle struct {
	*queue.Queue
	t     *testing.T
	pool  *pgxpool.Pool
	clock *pgtest.Clock
}

func newBundle(t *testing.T, c queue.Config) *bundle {
	b := newBundleInTime(t, c)
	b.clock = pgtest.SetClock(t, b.pool, start)
	return b
}

// newBundleInTime is a bundle whose clock does not stand still.
func newBundleInTime(t *testing.T, c queue.Config) *bundle {
	b := &bundle{t: t, pool: pgtest.New(t)}
	b.Queue = b.server(c)
	return b
}

// server is another server on the same database.
func (b *bundle) server(c queue.Config) *queue.Queue {
	return queue.New(b.pool, c)
}

func (b *bundle) enqueue(tasks ...queue.Task) []string {
	before := pgtest.One[[]string](b.t, b.pool, "SELECT coalesce(array_agg(id::text), '{}') FROM core_queue")
	require.NoError(b.t, queue.EnqueueTx(b.t.Context(), b.pool, tasks...))
	return pgtest.One[[]string](b.t, b.pool, "SELECT array_agg(id::text ORDER BY id) FROM core_queue WHERE id::text <> ALL ($1)", before)
}

func (b *bundle) handle(name string, run func(ctx context.Context, a queue.Attempt) error) {
	require.NoError(b.t, b.Handle(plugin, name, queue.Handler{Run: run}))
}

func (b *bundle) drain() { require.NoError(b.t, b.Drain(b.t.Context())) }

// start runs the workers and returns what stops them and waits.
func (b *bundle) start(q *queue.Queue) (stop func()) {
	return platformtest.Run(b.t, q.Run)
}

func (b *bundle) task(id string) queue.Summary {
	rows, err := b.pool.Query(b.t.Context(), `SELECT id::text, plugin_id, name, queue, status, priority, attempts,
		max_attempts, available_at, locked_until, last_error, created_at, completed_at FROM core_queue WHERE id = $1`, id)
	require.NoError(b.t, err)
	task, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[queue.Summary])
	require.NoError(b.t, err)
	return task
}

func (b *bundle) eventually(condition func() bool, what string) {
	pgtest.Eventually(b.t, condition, what)
}

func named(name string) queue.Task { return queue.Task{PluginID: plugin, Name: name} }

func nothing(context.Context, queue.Attempt) error { return nil }

func payload(t *testing.T, a queue.Attempt) (v any) {
	require.NoError(t, json.Unmarshal(a.Payload, &v))
	return v
}
