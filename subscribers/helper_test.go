package subscribers

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// fast is the configuration of tests: the same steps, with shorter waits.
func fast(t testing.TB) Config {
	return Config{
		Log:          zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.ErrorLevel),
		PollInterval: 5 * time.Millisecond, RetryInterval: time.Millisecond, Retries: 2, maxRetry: 200 * time.Millisecond,
	}
}

// publish sends the events in one transaction, as a command does.
func publish(t testing.TB, pool *pgxpool.Pool, messages ...outbox.Message) {
	t.Helper()
	batch := &pgx.Batch{}
	require.NoError(t, outbox.Queue(batch, messages...))
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		return tx.SendBatch(t.Context(), batch).Close()
	}))
}

// created is an event of a report whose target is named by n.
func created(n int) outbox.Message {
	report := uuid.Must(uuid.NewV7()).String()
	return outbox.Message{
		ID: uuid.Must(uuid.NewV7()), Name: event.ReportCreated, ReportID: report, Sequence: 1, PluginID: "forum",
		OccurredAt: time.Now(),
		Payload: fmt.Appendf(nil, `{"reportId":%q,"pluginId":"forum","targetType":"forum.post","targetId":"%d","reason":"spam"}`,
			report, n),
	}
}

// placeFreely lets a test insert messages under any transaction id.
func placeFreely(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	pgtest.Exec(t, pool, `ALTER TABLE watermill_docket_events DISABLE TRIGGER follow_ended`)
}

func series(n int) []outbox.Message {
	messages := make([]outbox.Message, n)
	for i := range messages {
		messages[i] = created(i)
	}
	return messages
}

func ids(messages []outbox.Message) []string {
	out := make([]string, len(messages))
	for i, m := range messages {
		out[i] = m.ID.String()
	}
	return out
}

// run runs a router until the test, or the returned stop, ends it.
func run(t testing.TB, r *Router) (stop func()) {
	t.Helper()
	return platformtest.Run(t, func(ctx context.Context) { assert.NoError(t, r.Run(ctx)) })
}

func start(t testing.TB, pool *pgxpool.Pool, listeners ...event.Listener) *Router {
	t.Helper()
	r, err := NewRouter(pool, fast(t), listeners...)
	require.NoError(t, err)
	run(t, r)
	return r
}

// recorder is a handler that keeps what it got.
type recorder struct {
	mu  sync.Mutex
	got []string
}

func (r *recorder) handle(_ context.Context, _ pgx.Tx, e event.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, e.ID)
	return nil
}

func (r *recorder) seen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.got...)
}

// eventually waits for a state that the router brings about in its own time.
func eventually(t testing.TB, condition func() bool, what string) {
	t.Helper()
	pgtest.Eventually(t, condition, what)
}

// caughtUp waits until every group has read everything.
func caughtUp(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	eventually(t, func() bool {
		lags, err := Lags(context.Background(), pool)
		require.NoError(t, err)
		for _, l := range lags {
			if l.Messages > 0 {
				return false
			}
		}
		return len(lags) > 0
	}, "groups catch up")
}

// setAside returns the only dead letter, which is that of the message.
func setAside(t testing.TB, r *Router, of outbox.Message) Poisoned {
	t.Helper()
	page, err := r.ListPoisoned(t.Context(), "", PoisonList.First(25))
	require.NoError(t, err)
	require.Len(t, page.Edges, 1)
	require.Equal(t, of.ID.String(), page.Edges[0].EventID)
	return page.Edges[0]
}
