package subscribers

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// counting is a listener that takes several events at once. It counts each event in the database,
// then fails as the test says, and remembers how many events each call had.
type counting struct {
	mu    sync.Mutex
	sizes []int
	fail  func(ctx context.Context, tx pgx.Tx, call int, events []event.Event) error
}

func (l *counting) handle(ctx context.Context, tx pgx.Tx, events []event.Event) error {
	for range events {
		if err := count(ctx, tx); err != nil {
			return err
		}
	}
	l.mu.Lock()
	l.sizes = append(l.sizes, len(events))
	call := len(l.sizes)
	l.mu.Unlock()
	if l.fail == nil {
		return nil
	}
	return l.fail(ctx, tx, call, events)
}

func (l *counting) calls() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]int(nil), l.sizes...)
}

func has(events []event.Event, target string) bool {
	for _, e := range events {
		if p, _ := event.Decode[event.Created](e); p.TargetID == target {
			return true
		}
	}
	return false
}

// Given events that wait, then a listener that takes them together gets them in batches, and
// of one that it does not receive only the position is kept.
func TestEventsAreHandledTogether(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	publish(t, pool, series(70)...)
	var all, none counting
	start(t, pool, event.Listener{Group: "all", HandleAll: all.handle},
		event.Listener{Group: "none", Events: []string{event.ReportResolved}, HandleAll: none.handle})
	caughtUp(t, pool)
	require.Equal(t, 70, counted())
	require.Equal(t, []int{50, 20}, all.calls())
	require.Empty(t, none.calls())

	t.Log("a single event comes alone")
	publish(t, pool, created(1))
	caughtUp(t, pool)
	require.Equal(t, []int{50, 20, 1}, all.calls())
}

// Given a batch that fails, then its events are handled one by one, exactly once, and those
// after it together again.
func TestAfterAFailureEventsAreHandledAlone(t *testing.T) {
	t.Parallel()
	first := func(err func(ctx context.Context, tx pgx.Tx) error) func(context.Context, pgx.Tx, int, []event.Event) error {
		return func(ctx context.Context, tx pgx.Tx, call int, _ []event.Event) error {
			if call > 1 {
				return nil
			}
			return err(ctx, tx)
		}
	}
	sql := func(statement string) func(context.Context, pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, statement)
			return err
		}
	}
	cases := map[string]struct {
		fail func(ctx context.Context, tx pgx.Tx) error
		want int
	}{
		"an error":              {func(context.Context, pgx.Tx) error { return errors.New("no") }, 12},
		"a panic":               {func(context.Context, pgx.Tx) error { panic("no") }, 12},
		"an SQL error":          {sql(`SELECT 1/0`), 12},
		"a lost connection":     {sql(`SELECT pg_terminate_backend(pg_backend_pid())`), 12},
		"it ends with ROLLBACK": {sql(`ROLLBACK`), 12},
		"it ends with COMMIT":   {sql(`COMMIT`), 12 + 7}, // what it has committed cannot be undone
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			counted := counter(t, pool)
			publish(t, pool, series(7)...)
			l := counting{fail: first(c.fail)}
			r := start(t, pool, event.Listener{Group: "all", HandleAll: l.handle})
			caughtUp(t, pool)
			publish(t, pool, series(5)...)
			caughtUp(t, pool)
			require.Equal(t, []int{7, 1, 1, 1, 1, 1, 1, 1, 5}, l.calls())
			require.Equal(t, c.want, counted())
			page, err := r.ListPoisoned(t.Context(), "", PoisonList.First(25))
			require.NoError(t, err)
			require.Empty(t, page.Edges)
		})
	}
}

// Given one event that always fails, then it alone is set aside, and the others of its batch
// leave their effects exactly once.
func TestOneOfABatchIsSetAside(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{"an SQL error": `SELECT 1/0`, "the end of the transaction": `ROLLBACK`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			counted := counter(t, pool)
			messages := series(7)
			publish(t, pool, messages...)
			l := counting{fail: func(ctx context.Context, tx pgx.Tx, _ int, events []event.Event) error {
				if !has(events, "3") {
					return nil
				}
				_, err := tx.Exec(ctx, statement)
				return err
			}}
			r := start(t, pool, event.Listener{Group: "all", HandleAll: l.handle})
			caughtUp(t, pool)
			require.Equal(t, 6, counted())
			require.Error(t, r.Replay(t.Context(), setAside(t, r, messages[3]).ID))
		})
	}
}

// Given a server that stops while a batch is handled, then nothing of it is kept, and the next
// one handles all of it.
func TestStoppingDuringABatchKeepsNothingOfIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	publish(t, pool, series(7)...)
	began := make(chan struct{})
	l := counting{fail: func(ctx context.Context, _ pgx.Tx, call int, _ []event.Event) error {
		if call > 1 {
			return nil
		}
		close(began)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Minute):
			return errors.New("it was not stopped")
		}
	}}
	r, err := NewRouter(pool, fast(t), event.Listener{Group: "all", HandleAll: l.handle})
	require.NoError(t, err)
	stop := run(t, r)
	<-began
	stop()
	require.Zero(t, counted())
	run(t, r)
	caughtUp(t, pool)
	require.Equal(t, 7, counted())
	require.Equal(t, []int{7, 7}, l.calls())
}
