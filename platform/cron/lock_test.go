package cron_test

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/platformtest"
)

// serverURL makes the test binary a server with a job that hangs.
const serverURL = "DOCKET_TEST_CRON_SERVER"

// hang ticks on that database with a job that never ends.
func hang(url string) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	c, err := cron.New(pool, cron.Config{}, job("slow", "* * * * *", func(context.Context) error {
		fmt.Println("running")
		select {}
	}))
	if err != nil {
		return err
	}
	if err := c.Register(ctx); err != nil {
		return err
	}
	_, err = c.Tick(ctx)
	return err
}

func TestAKilledServersJobsAreFree(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	defer pool.Close()
	server := platformtest.StartProcess(t, serverURL, url, "running")

	var runs, others counter
	c, err := cron.New(pool, cron.Config{}, job("slow", "* * * * *", runs.run), job("other", "* * * * *", others.run))
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.Register(t.Context()))
	executed, err := c.Tick(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, executed, "the other server still has the slow one")
	require.Zero(t, runs.count())

	server.Kill()

	require.Eventually(t, func() bool {
		_, err := c.Tick(t.Context())
		return err == nil && runs.count() > 0
	}, 10*time.Second, 10*time.Millisecond, "due again and free")
}

// When the connection with the locks is lost, another server may run the job; so
// the run here is told to end, and cannot be recorded.
func TestARunWhoseLockIsLostEnds(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	running := make(chan struct{})
	c := b.server(job("slow", "* * * * *", func(ctx context.Context) error {
		close(running)
		<-ctx.Done()
		return nil // as if it had done its work
	}))
	c.SetWatchInterval(time.Millisecond)
	executed, failed := make(chan int, 1), make(chan error, 1)
	go func() {
		n, err := c.Tick(t.Context())
		executed <- n
		failed <- err
	}()
	<-running

	pgtest.Exec(t, b.pool, `SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)

	require.Zero(t, <-executed)
	require.Error(t, <-failed, "the run could not be recorded")
	require.Equal(t, "never", b.lastRun("slow"))
	var others counter
	again := b.server(job("slow", "* * * * *", others.run))
	require.Equal(t, 1, b.tick(again))
}

func TestLocksLeaveNoConnectionBehind(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	c := b.server(job("a", "* * * * *", nothing), job("b", "* * * * *", nothing))
	require.Equal(t, 2, b.tick(c))
	require.Eventually(t, func() bool {
		var locks, connections int
		err := b.pool.QueryRow(t.Context(), `SELECT
			(SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
				WHERE l.locktype = 'advisory'),
			(SELECT count(*) FROM pg_stat_activity WHERE datname = current_database())`).Scan(&locks, &connections)
		return err == nil && locks == 0 && connections == int(b.pool.Stat().TotalConns())
	}, 10*time.Second, 10*time.Millisecond)
}

// TestCloseWaitsForNoSilentDatabase stops a server whose jobs ask a database that
// has fallen silent for their locks.
func TestCloseWaitsForNoSilentDatabase(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var silent atomic.Bool
	dialing, ends := make(chan struct{}, 100), make(chan error, 100)
	config := b.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if !silent.Load() {
			return dial(ctx, network, address)
		}
		dialing <- struct{}{}
		<-ctx.Done()
		ends <- ctx.Err()
		return nil, ctx.Err()
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	defer pool.Close()
	var jobs []cron.Job
	for i := range 9 {
		jobs = append(jobs, job(fmt.Sprint(i), "* * * * *", nothing))
	}
	c, err := cron.New(pool, cron.Config{}, jobs...)
	require.NoError(t, err)
	require.NoError(t, c.Register(t.Context()))
	silent.Store(true)
	ticked := make(chan error, 1)
	go func() {
		_, err := c.Tick(context.WithoutCancel(t.Context()))
		ticked <- err
	}()
	<-dialing

	c.Close()

	require.NoError(t, <-ticked)
	close(ends)
	for err := range ends {
		require.ErrorIs(t, err, context.Canceled, "it was not waited out")
	}
}
