// Package river drains the same no-op tasks through Docket's queue and through
// River, on one database in one run.
package river

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

const (
	tasks   = 20_000
	workers = 1000 // at once, of either
	rounds  = 3    // the best of each counts, since the machine is never quiet
)

// BenchmarkDrain reports tasks a second of both and fails when Docket's queue
// does less than half of River's.
func BenchmarkDrain(b *testing.B) {
	ctx := b.Context()
	config, err := pgxpool.ParseConfig(pgtest.URL(b))
	must(b, err)
	config.MaxConns = 10
	pool, err := pgxpool.NewWithConfig(ctx, config)
	must(b, err)
	defer pool.Close()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	must(b, err)
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	must(b, err)

	var docket, other float64
	for b.Loop() {
		for range rounds {
			docket = max(docket, tasks/drainDocket(b, pool).Seconds())
			other = max(other, tasks/drainRiver(b, pool).Seconds())
		}
	}
	b.ReportMetric(docket, "docket-tasks/s")
	b.ReportMetric(other, "river-tasks/s")
	b.ReportMetric(docket/other, "docket/river")
	if docket < other/2 {
		b.Errorf("Docket drains %.0f tasks a second, River %.0f: less than half", docket, other)
	}
}

func drainDocket(b *testing.B, pool *pgxpool.Pool) time.Duration {
	ctx := b.Context()
	clear(b, pool, "core_queue")
	for range tasks / 1000 {
		list := make([]queue.Task, 1000)
		for i := range list {
			list[i] = queue.Task{PluginID: "bench", Name: "nothing"}
		}
		must(b, queue.EnqueueTx(ctx, pool, list...))
	}
	q := queue.New(pool, queue.Config{Concurrency: map[queue.Name]int{queue.Default: workers}})
	must(b, q.Handle("bench", "nothing", queue.Handler{
		Run: func(context.Context, queue.Attempt) error { return nil },
	}))
	running, cancel := context.WithCancel(ctx)
	stopped := make(chan struct{})
	start := time.Now()
	go func() { q.Run(running); close(stopped) }()
	await(b, pool, "SELECT EXISTS (SELECT FROM core_queue WHERE status IN ('pending', 'processing'))")
	took := time.Since(start)
	cancel()
	<-stopped
	return took
}

type nothing struct{}

func (nothing) Kind() string { return "nothing" }

type worker struct{ river.WorkerDefaults[nothing] }

func (worker) Work(context.Context, *river.Job[nothing]) error { return nil }

func drainRiver(b *testing.B, pool *pgxpool.Pool) time.Duration {
	ctx := b.Context()
	clear(b, pool, "river_job")
	all := river.NewWorkers()
	river.AddWorker(all, worker{})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Workers: all,
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		// As River's own benchmark sets them; its defaults are slower.
		FetchCooldown:     2 * time.Millisecond,
		FetchPollInterval: 20 * time.Millisecond,
	})
	must(b, err)
	for range tasks / 1000 {
		list := make([]river.InsertManyParams, 1000)
		for i := range list {
			list[i] = river.InsertManyParams{Args: nothing{}}
		}
		_, err := client.InsertManyFast(ctx, list)
		must(b, err)
	}
	start := time.Now()
	must(b, client.Start(ctx))
	await(b, pool, "SELECT EXISTS (SELECT FROM river_job WHERE state IN ('available', 'running'))")
	took := time.Since(start)
	must(b, client.Stop(ctx))
	return took
}

func clear(b *testing.B, pool *pgxpool.Pool, table string) {
	_, err := pool.Exec(b.Context(), "TRUNCATE "+pgx.Identifier{table}.Sanitize())
	must(b, err)
}

// await polls until nothing is left.
func await(b *testing.B, pool *pgxpool.Pool, left string) {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for range ticker.C {
		var some bool
		must(b, pool.QueryRow(b.Context(), left).Scan(&some))
		if !some {
			return
		}
	}
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
