package queue_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
)

// workerURL makes the test binary a server that works on that database.
const workerURL = "DOCKET_TEST_QUEUE_WORKER"

// serve is a server with two workers, until it is killed.
func serve(url string) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	first, err := effectWorker(pool)
	if err != nil {
		return err
	}
	second, err := effectWorker(pool)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	go first.Run(ctx)
	second.Run(ctx)
	return nil
}

func effectWorker(pool *pgxpool.Pool) (*queue.Queue, error) {
	q := queue.New(pool, queue.Config{Lease: 2 * time.Second, Poll: 20 * time.Millisecond})
	return q, q.Handle(plugin, "effect", queue.Handler{Run: func(ctx context.Context, a queue.Attempt) error {
		_, err := pool.Exec(ctx, "INSERT INTO effects VALUES ($1)", a.TaskID)
		return err
	}})
}

// Given 10,000 tasks, or 2,000 with -short, being enqueued while two workers on each of two servers
// drain them, when one server is killed in the middle, then each task has had its
// effect and is completed, those of the dead server too.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	tasks, batch := 10_000, 100
	if testing.Short() {
		tasks = 2000
	}
	url := pgtest.URL(t)
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	defer pool.Close()
	pgtest.Exec(t, pool, "CREATE TABLE effects (task_id uuid)")

	server := platformtest.StartProcess(t, workerURL, url, "ready")

	var stops []func()
	for range 2 {
		q, err := effectWorker(pool)
		require.NoError(t, err)
		stops = append(stops, platformtest.Run(t, q.Run))
	}

	count := func(sql string) int { return pgtest.One[int](t, pool, sql) }
	for i := range tasks / batch {
		list := make([]queue.Task, batch)
		for j := range list {
			list[j] = named("effect")
		}
		require.NoError(t, queue.EnqueueTx(t.Context(), pool, list...))
		if i == tasks/batch/2 {
			server.Kill()
		}
	}

	pgtest.Eventually(t, func() bool {
		return count("SELECT count(*) FROM core_queue WHERE status = 'completed'") == tasks
	}, "every task is completed")
	for _, stop := range stops {
		stop()
	}
	require.Equal(t, tasks, count("SELECT count(DISTINCT task_id) FROM effects"), "none lost")
	require.Equal(t, tasks, count("SELECT count(*) FROM core_queue"))
	t.Logf("%d tasks had their effect twice or more; %d were taken up after a lease",
		count("SELECT count(*) - count(DISTINCT task_id) FROM effects"),
		count("SELECT count(*) FROM core_queue WHERE attempts > 1"))
}
