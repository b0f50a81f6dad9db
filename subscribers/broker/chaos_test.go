package broker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/webhook"
)

// Given 32 writers, and servers, database connections and the broker killed at
// random all the while, then each group has received what was stored: effects in the
// database exactly once, the broker's stream every event under its id, per report in
// order. DOCKET_CHAOS_EVENTS sets how many events; a release is held to 20,000.
func TestChaos(t *testing.T) {
	events := 2000
	if testing.Short() {
		events = 1000
	}
	if text := os.Getenv("DOCKET_CHAOS_EVENTS"); text != "" {
		var err error
		events, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	c := &chaos{t: t, pool: pgtest.New(t), port: freePort(t), dir: t.TempDir()}
	c.exec(`CREATE TABLE received (at bigserial, event_id text, report_id text, sequence bigint)`)
	hooks := webhook.NewStore(c.pool, webhook.Config{})
	_, err := hooks.Create(t.Context(), webhook.New{URL: "https://example.test"})
	require.NoError(t, err)
	c.hooks = hooks.Listener()

	ctx, cancel := context.WithCancel(context.Background())
	var trouble sync.WaitGroup
	for _, make := range []func(context.Context){c.servers, c.servers, c.brokers, c.backends} {
		trouble.Go(func() { make(ctx) })
	}
	var writers sync.WaitGroup
	for range 32 {
		writers.Go(func() { c.write(events / 32) })
	}
	writers.Wait()
	cancel()
	trouble.Wait()

	s := startBroker(t, c.port, c.dir)
	stop := c.server(zerolog.Nop())
	defer stop()
	var stored int
	c.scan(`SELECT count(*) FROM watermill_docket_events`, &stored)
	require.GreaterOrEqual(t, stored, events/32*32)
	pgtest.Eventually(t, func() bool {
		var unread int
		c.scan(`SELECT count(*) FROM watermill_docket_events m, watermill_offsets_docket_events o
			WHERE (m.transaction_id, m."offset") > (o.last_processed_transaction_id, o.offset_acked)`, &unread)
		return unread == 0
	}, "every group has read everything")

	var once, hooked, poisoned, disordered int
	c.scan(`SELECT count(*) FROM received JOIN watermill_docket_events ON uuid = event_id`, &once)
	c.scan(`SELECT count(DISTINCT event_id) FROM core_webhook_deliveries`, &hooked)
	c.scan(`SELECT count(*) FROM core_poison`, &poisoned)
	c.scan(`SELECT count(*) FROM (SELECT sequence - lag(sequence) OVER (PARTITION BY report_id ORDER BY at) AS step FROM received) s WHERE step <> 1`, &disordered)
	require.Equal(t, []int{stored, stored, 0, 0}, []int{once, hooked, poisoned, disordered})
	var rows, deliveries int
	c.scan(`SELECT count(*) FROM received`, &rows)
	c.scan(`SELECT count(*) FROM core_webhook_deliveries`, &deliveries)
	require.Equal(t, []int{stored, stored}, []int{rows, deliveries}, "exactly once")
	c.checkStream(s, stored)
	t.Logf("%d events; %d servers stopped, %d connections and %d brokers killed", stored, c.stopped, c.killed, c.broken)
}

type chaos struct {
	t     *testing.T
	pool  *pgxpool.Pool
	hooks event.Listener
	port  int
	dir   string

	mu                      sync.Mutex
	stopped, killed, broken int
}

// exec and scan go on through killed connections.
func (c *chaos) exec(sql string, args ...any) {
	pgtest.Eventually(c.t, func() bool {
		_, err := c.pool.Exec(context.Background(), sql, args...)
		return err == nil
	}, "the statement succeeds")
}

func (c *chaos) scan(sql string, into any) {
	pgtest.Eventually(c.t, func() bool { return c.pool.QueryRow(context.Background(), sql).Scan(into) == nil }, "the query succeeds")
}

func (c *chaos) count(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

// write appends to a report's stream of its own, one transaction an event. A commit
// whose answer is lost is looked up, as a command's retry does.
func (c *chaos) write(n int) {
	report := uuid.NewString()
	for sequence := int64(1); sequence <= int64(n); {
		id := uuid.Must(uuid.NewV7())
		batch := &pgx.Batch{}
		if err := outbox.Queue(batch, outbox.Message{
			ID: id, Name: event.ReportCreated, ReportID: report, Sequence: sequence, PluginID: "forum", OccurredAt: time.Now(),
			Payload: fmt.Appendf(nil, `{"reportId":%q}`, report),
		}); err != nil {
			c.t.Error(err)
			return
		}
		if c.pool.SendBatch(context.Background(), batch).Close() == nil {
			sequence++
			continue
		}
		var there int
		c.scan(fmt.Sprintf(`SELECT count(*) FROM watermill_docket_events WHERE uuid = '%s'`, id), &there)
		sequence += int64(there)
	}
}

// server runs one, with a listener, webhooks and the broker attached.
func (c *chaos) server(log zerolog.Logger) (stop func()) {
	publisher := connect(c.t, fmt.Sprintf("nats://127.0.0.1:%d", c.port))
	router, err := subscribers.NewRouter(c.pool, subscribers.Config{Log: log, PollInterval: 5 * time.Millisecond, Forwarders: []subscribers.Forwarder{publisher.Forwarder()}}, c.hooks,
		event.Listener{Group: "chaos", Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
			_, err := tx.Exec(ctx, `INSERT INTO received (event_id, report_id, sequence) VALUES ($1, $2, $3)`, e.ID, e.ReportID, e.Sequence)
			return err
		}})
	require.NoError(c.t, err)
	return platformtest.Run(c.t, func(ctx context.Context) {
		for ctx.Err() == nil { // a start may meet a killed connection
			_ = router.Run(ctx)
		}
	})
}

// pause waits a random while; false ends the trouble.
func pause(ctx context.Context, longest time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(rand.N(longest)):
		return true
	}
}

func (c *chaos) servers(ctx context.Context) {
	for ctx.Err() == nil {
		stop := c.server(zerolog.Nop())
		pause(ctx, time.Second)
		stop()
		c.count(&c.stopped)
	}
}

func (c *chaos) brokers(ctx context.Context) {
	for ctx.Err() == nil {
		s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: c.port, JetStream: true, StoreDir: c.dir, NoLog: true, NoSigs: true})
		if err != nil {
			c.t.Error(err)
			return
		}
		go s.Start()
		pause(ctx, time.Second)
		s.Shutdown()
		s.WaitForShutdown()
		c.count(&c.broken)
		pause(ctx, 300*time.Millisecond)
	}
}

func (c *chaos) backends(ctx context.Context) {
	for pause(ctx, 100*time.Millisecond) {
		_, err := c.pool.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`)
		if err == nil {
			c.count(&c.killed)
		}
	}
}

// checkStream holds the broker's stream to what was stored: every id is there, and
// the first time it appears, its report's events before it have.
func (c *chaos) checkStream(s *server.Server, want int) {
	seen := map[string]bool{}
	last := map[string]int{}
	for _, msg := range stored(c.t, s.ClientURL()) {
		id := msg.Headers().Get(nats.MsgIdHdr)
		if seen[id] {
			continue
		}
		seen[id] = true
		sequence, err := strconv.Atoi(msg.Headers().Get("sequence"))
		require.NoError(c.t, err)
		report := msg.Headers().Get("report_id")
		require.Equal(c.t, last[report]+1, sequence)
		last[report] = sequence
	}
	require.Len(c.t, seen, want)
}
