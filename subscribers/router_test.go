package subscribers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestEachGroupHearsItsEventsInOrder(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var all, resolved, content recorder
	start(t, pool,
		event.Listener{Group: "all", Handle: all.handle},
		event.Listener{Group: "resolved", Events: []string{event.ReportResolved}, Handle: resolved.handle},
		event.Listener{Group: "content", Events: []string{"content.*"}, Handle: content.handle},
	)
	messages := series(250) // more than two batches
	messages[10].Name = event.ReportResolved
	messages[11].Name = event.Hidden("forum.post")
	for _, m := range messages {
		publish(t, pool, m)
	}
	caughtUp(t, pool)
	require.Equal(t, ids(messages), all.seen())
	require.Equal(t, []string{messages[10].ID.String()}, resolved.seen())
	require.Equal(t, []string{messages[11].ID.String()}, content.seen())
}

func TestAnEventIsTyped(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	sent := created(42)
	sent.ActorID = "0197a0b0-0000-7000-8000-000000000001"
	got := make(chan event.Event, 1)
	start(t, pool, event.Listener{Group: "typed", Handle: func(_ context.Context, _ pgx.Tx, e event.Event) error {
		got <- e
		return nil
	}})
	publish(t, pool, sent)
	e := <-got
	require.Equal(t, []any{sent.ID.String(), sent.Name, sent.ReportID, sent.Sequence, "forum", sent.ActorID},
		[]any{e.ID, e.Name, e.ReportID, e.Sequence, e.PluginID, e.ActorID})
	require.WithinDuration(t, sent.OccurredAt, e.OccurredAt, 1000)
	payload, err := event.Decode[event.Created](e)
	require.NoError(t, err)
	require.Equal(t, event.Created{ReportID: sent.ReportID, PluginID: "forum", TargetType: "forum.post", TargetID: "42", Reason: "spam"}, payload)
}

func TestRegistrationRefusesFaultyListeners(t *testing.T) {
	t.Parallel()
	ok := func(context.Context, pgx.Tx, event.Event) error { return nil }
	cases := map[string]struct {
		listeners []event.Listener
		want      string
	}{
		"a name twice": {[]event.Listener{{Group: "a", Handle: ok}, {Group: "a", Handle: ok}}, "group a is registered twice"},
		"a bad name":   {[]event.Listener{{Group: "A b", Handle: ok}}, `group "A b"`},
		"no handler":   {[]event.Listener{{Group: "a"}}, `group "a": handle: a listener needs a handler`},
		"two handlers": {[]event.Listener{{Group: "a", Handle: ok, HandleAll: func(context.Context, pgx.Tx, []event.Event) error { return nil }}},
			"either Handle or HandleAll"},
		"every fault shown": {[]event.Listener{{Group: "b"}, {Group: "a"}}, `group "a": handle: a listener needs a handler`},
	}
	for name, c := range cases {
		_, err := NewRouter(nil, Config{}, c.listeners...)
		require.ErrorContains(t, err, c.want, name)
	}
}

func counter(t *testing.T, pool *pgxpool.Pool) func() int {
	t.Helper()
	pgtest.Exec(t, pool, `CREATE TABLE counted (category text PRIMARY KEY, n int NOT NULL)`)
	return func() int {
		return pgtest.One[int](t, pool, `SELECT coalesce(sum(n), 0) FROM counted`)
	}
}

func count(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `INSERT INTO counted VALUES ('all', 1) ON CONFLICT (category) DO UPDATE SET n = counted.n + 1`)
	return err
}

// Given listeners that fail in every way they can, when each then succeeds, its
// effects are there exactly once.
func TestAFailedAttemptLeavesNoTrace(t *testing.T) {
	t.Parallel()
	failures := map[string]func(ctx context.Context, tx pgx.Tx) error{
		"an error": func(context.Context, pgx.Tx) error { return errors.New("no") },
		"a panic":  func(context.Context, pgx.Tx) error { panic("no") },
		"a nil of an error's type, whose text panics": func(context.Context, pgx.Tx) error { return (*fs.PathError)(nil) },
		"an SQL error": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SELECT 1/0`)
			return err
		},
		"an SQL error kept quiet": func(ctx context.Context, tx pgx.Tx) error {
			_, _ = tx.Exec(ctx, `SELECT 1/0`)
			return nil
		},
		"a connection, of which none is lent": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Conn().Exec(ctx, `SELECT 1/0`)
			return err
		},
		"an SQL error in a savepoint of its own": func(ctx context.Context, tx pgx.Tx) error {
			return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
				_, err := tx.Exec(ctx, `SELECT 1/0`)
				return err
			})
		},
		"an error after a savepoint of its own": func(ctx context.Context, tx pgx.Tx) error {
			own, err := tx.Begin(ctx)
			return errors.Join(err, count(ctx, own), errors.New("no"))
		},
		"an end of the transaction": func(ctx context.Context, tx pgx.Tx) error { return tx.Commit(ctx) },
		"a lost connection": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
			return err
		},
	}
	for name, fail := range failures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			counted := counter(t, pool)
			var failed atomic.Int32
			start(t, pool, event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
				if err := count(ctx, tx); err != nil {
					return err
				}
				if p, _ := event.Decode[event.Created](e); p.TargetID == "3" && failed.Add(1) <= 2 {
					return fail(ctx, tx)
				}
				return nil
			}})
			publish(t, pool, series(7)...)
			caughtUp(t, pool)
			require.Equal(t, 7, counted())
			require.EqualValues(t, 3, failed.Load())
		})
	}
}

// Given a listener that wants nothing of the database, then it has no savepoint. One that does
// has a round trip for it once in a batch.
func TestAnIdleListenerHasNoSavepoint(t *testing.T) {
	t.Parallel()
	config := pgtest.New(t).Config()
	var counted savepoints
	config.ConnConfig.Tracer = &counted
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	handled := counter(t, pool)

	var idle recorder
	start(t, pool, event.Listener{Group: "idle", Handle: idle.handle})
	publish(t, pool, series(20)...)
	caughtUp(t, pool)
	require.Len(t, idle.seen(), 20)
	require.Zero(t, counted.Load())

	start(t, pool, event.Listener{Group: "busy", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
		if err := count(ctx, tx); err != nil {
			return err
		}
		return count(ctx, tx)
	}})
	eventually(t, func() bool { return handled() == 40 }, "the other group catches up")
	require.EqualValues(t, 1, counted.Load(), "the others are set in the round trip that releases the one before")
}

// savepoints counts the savepoints that are set in a round trip of their own.
type savepoints struct{ atomic.Int64 }

func (s *savepoints) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.HasPrefix(data.SQL, "SAVEPOINT") {
		s.Add(1)
	}
	return ctx
}

func (*savepoints) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Given a row that somebody updates between the batch's read and the handler, then
// the handler sees it and does not fail on every retry.
func TestHandlersSeeWhatCommittedAfterTheBatchWasRead(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	pgtest.Exec(t, pool, `INSERT INTO counted VALUES ('all', 100)`)
	start(t, pool, event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
		if _, err := pool.Exec(ctx, `UPDATE counted SET n = n + 1`); err != nil {
			return err
		}
		return count(ctx, tx)
	}})
	publish(t, pool, created(0))
	caughtUp(t, pool)
	require.Equal(t, 102, counted())
}

func TestAPoisonedEventIsSetAsideListedAndReplayed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	registry := prometheus.NewRegistry()
	config := fast(t)
	config.Metrics = registry
	var mended atomic.Bool
	router, err := NewRouter(pool, config, event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
		if err := count(ctx, tx); err != nil {
			return err
		}
		if p, _ := event.Decode[event.Created](e); p.TargetID == "1" && !mended.Load() {
			return fmt.Errorf("bad\x00 target %s", p.TargetID)
		}
		return nil
	}})
	require.NoError(t, err)
	run(t, router)

	messages := series(3)
	publish(t, pool, messages...)
	caughtUp(t, pool)
	require.Equal(t, 2, counted(), "the group goes on without the poisoned event")
	page, err := router.ListPoisoned(t.Context(), "counts", PoisonList.First(25))
	require.NoError(t, err)
	require.Len(t, page.Edges, 1)
	got := page.Edges[0]
	require.Equal(t, []any{"counts", messages[1].ID.String(), event.ReportCreated, "bad target 1", 0},
		[]any{got.Group, got.EventID, got.Name, got.Reason, got.Replays})
	none, err := router.ListPoisoned(t.Context(), "others", PoisonList.First(25))
	require.NoError(t, err)
	require.Equal(t, []Poisoned{}, none.Edges)

	t.Log("when it is replayed in vain, it stays")
	err = router.Replay(t.Context(), got.ID)
	require.ErrorIs(t, err, &domain.Error{Code: domain.CodeActionFailed})
	page, err = router.ListPoisoned(t.Context(), "", PoisonList.First(25))
	require.NoError(t, err)
	require.Equal(t, 1, page.Edges[0].Replays)
	require.Equal(t, 2, counted())

	t.Log("when its cause is mended, it is handled exactly once")
	mended.Store(true)
	require.NoError(t, router.Replay(t.Context(), got.ID))
	require.Equal(t, 3, counted())
	require.ErrorIs(t, router.Replay(t.Context(), got.ID), &domain.Error{Code: domain.CodeNotFound})
	require.ErrorIs(t, router.Replay(t.Context(), "nonsense"), &domain.Error{Code: domain.CodeNotFound})

	require.NoError(t, testutil.GatherAndCompare(registry, metricsWanted(), "docket_subscriber_attempts_total",
		"docket_subscriber_poisoned_total", "docket_subscriber_lag_messages", "docket_subscriber_lag_seconds"))
}

// Two servers run the same groups: each event is handled once, and when one server
// goes, the other takes over.
func TestServersShareAGroup(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	listener := event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error { return count(ctx, tx) }}
	var stops []func()
	for range 2 {
		r, err := NewRouter(pool, fast(t), listener)
		require.NoError(t, err)
		stops = append(stops, run(t, r))
	}
	for range 20 {
		publish(t, pool, series(10)...)
	}
	stops[0]()
	publish(t, pool, series(10)...)
	caughtUp(t, pool)
	require.Equal(t, 210, counted())
}

// Given a server that is stopped again and again in the middle of its batches, then
// the effects are those of each event once.
func TestStoppingInTheMiddleRepeatsNoEffect(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	publish(t, pool, series(300)...)
	handled := make(chan struct{}, 1000)
	for range 10 {
		r, err := NewRouter(pool, fast(t), event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
			handled <- struct{}{}
			return count(ctx, tx)
		}})
		require.NoError(t, err)
		stop := run(t, r)
		for range 15 {
			<-handled
		}
		stop()
	}
	start(t, pool, event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error { return count(ctx, tx) }})
	caughtUp(t, pool)
	require.Equal(t, 300, counted())
}
