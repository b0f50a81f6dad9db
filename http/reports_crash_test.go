package http_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	process "github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
)

// crashingURL makes the test program a server that takes an effect on that database
// and gets no further.
const crashingURL = "DOCKET_TEST_CRASHING_SERVER"

func TestMain(m *testing.M) {
	if url := os.Getenv(crashingURL); url != "" {
		if err := beginEffects(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	dropForum()
	os.Exit(code)
}

func beginEffects(url string) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	q, err := effects(pool, func(ctx context.Context) error {
		fmt.Println("begun")
		select {} // until it is killed
	})
	if err != nil {
		return err
	}
	q.Run(ctx)
	return nil
}

// effects is the queue of a server that has the plugin of lamps.
func effects(pool *pgxpool.Pool, dim func(context.Context) error) (*queue.Queue, error) {
	q, err := queue.New(pool, queue.Config{Log: zerolog.Nop(), Lease: time.Second, Poll: 20 * time.Millisecond})
	if err != nil {
		return nil, err
	}
	return q, q.Handle("lamps", "dim", queue.Handler{Run: func(ctx context.Context, _ queue.Attempt) error { return dim(ctx) }})
}

// Given an action that is committed, when the server that does its effect is killed,
// then report, timeline, message and effect tell of one action, and another server
// does the effect.
func TestACrashBetweenTheCommitAndTheEffects(t *testing.T) {
	t.Parallel()
	b := newBundle(t, source(lamps))
	mo := b.unlimited("Mo")
	filed := b.member(0).post("/moderation/reports", map[string]string{"pluginId": "lamps", "targetType": "lamps.lamp", "targetId": "changes", "reason": "spam"}).status(201)
	path := "/moderation/reports/" + filed.body["id"].(string)
	mo.post(path+"/actions/hide", at(1)).status(200)
	once := recorded{events: 1, messages: 1, tasks: 1}

	process.StartProcess(t, crashingURL, b.pool.Config().ConnString(), "begun").Kill()
	require.Equal(t, once, b.recorded())
	require.EqualValues(t, 2, mo.get(path).status(200).body["version"])

	var done atomic.Int32
	q, err := effects(b.pool, func(context.Context) error { done.Add(1); return nil })
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { defer close(stopped); q.Run(ctx) }()
	require.Eventually(t, func() bool {
		var completed int
		err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM core_queue WHERE name = 'dim' AND status = 'completed'`).Scan(&completed)
		return err == nil && completed == 1
	}, 20*time.Second, 20*time.Millisecond)
	cancel()
	<-stopped
	require.EqualValues(t, 1, done.Load())
	require.Equal(t, once, b.recorded())
}
