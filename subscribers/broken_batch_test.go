package subscribers

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a listener that ends the message's transaction, then that message is set
// aside at once, under the listener's name, and the effects of the others are there
// exactly once.
func TestAListenerThatEndsTheTransactionIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	sql := func(statements ...string) func(ctx context.Context, tx pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			for _, s := range statements {
				if _, err := tx.Exec(ctx, s); err != nil {
					return err
				}
			}
			return nil
		}
	}
	cases := map[string]struct {
		end  func(ctx context.Context, tx pgx.Tx) error
		want int // what 2 events that end it and 5 others leave
	}{
		"COMMIT":                 {sql(`COMMIT`), 7},
		"ROLLBACK":               {sql(`ROLLBACK`), 5},
		"COMMIT after a comment": {sql(`/* SELECT */ COMMIT`), 7},
		"COMMIT behind a query":  {sql(`SELECT 1; COMMIT`), 7},
		"COMMIT in a batch": {func(ctx context.Context, tx pgx.Tx) error {
			b := &pgx.Batch{}
			b.Queue(`SELECT 1`)
			b.Queue(`COMMIT`)
			return tx.SendBatch(ctx, b).Close()
		}, 7},
		"a transaction of its own": {sql(`COMMIT`, `BEGIN`), 7},
		"an error after it":        {sql(`COMMIT`, `SELECT 1/0`), 7},
		"a panic after it":         {func(ctx context.Context, tx pgx.Tx) error { _ = sql(`COMMIT`)(ctx, tx); panic("no") }, 7},
		"in a savepoint of its own": {func(ctx context.Context, tx pgx.Tx) error {
			return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return sql(`COMMIT`)(ctx, tx) })
		}, 7},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			counted := counter(t, pool)
			var asked atomic.Int32
			publish(t, pool, series(7)...)
			r := start(t, pool, event.Listener{Group: "ends", Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
				if err := count(ctx, tx); err != nil {
					return err
				}
				if p, _ := event.Decode[event.Created](e); p.TargetID == "3" || p.TargetID == "5" {
					asked.Add(1)
					return c.end(ctx, tx)
				}
				return nil
			}})
			caughtUp(t, pool)
			require.Equal(t, c.want, counted())
			require.EqualValues(t, 2, asked.Load())
			page, err := r.ListPoisoned(t.Context(), "", PoisonList.First(25))
			require.NoError(t, err)
			require.Len(t, page.Edges, 2)
			require.Contains(t, page.Edges[0].Reason, "listener ends ended the message's transaction")
			require.Error(t, r.Replay(t.Context(), page.Edges[0].ID))
		})
	}
}

func TestAListenerIsLentNoConnection(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	conns := make(chan *pgx.Conn, 3)
	start(t, pool, event.Listener{Group: "test", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
		conns <- tx.Conn()
		return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
			conns <- tx.Conn()
			return pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
				conns <- tx.Conn()
				return nil
			})
		})
	}})
	publish(t, pool, created(0))
	for range 3 {
		require.Nil(t, <-conns)
	}
	caughtUp(t, pool)
}

// Given events that cost the connection whenever they are handled, with others before
// them in their batch, then both are set aside in the end.
func TestAnEventThatAlwaysCostsTheConnectionIsSetAside(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	counted := counter(t, pool)
	var asked atomic.Int32
	messages := series(7)
	publish(t, pool, messages...)
	r, err := NewRouter(pool, fast(t), event.Listener{Group: "dies", Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
		if err := count(ctx, tx); err != nil {
			return err
		}
		if p, _ := event.Decode[event.Created](e); p.TargetID == "3" {
			asked.Add(1)
			_, err := tx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
			return err
		}
		return nil
	}})
	require.NoError(t, err)
	// The last of what makes it one of these.
	broken := &r.groups["dies"].broken
	broken.id, broken.losses = messages[3].ID.String(), maxLosses-1
	run(t, r)
	caughtUp(t, pool)
	require.Equal(t, 6, counted())
	require.EqualValues(t, 1, asked.Load())
	page, err := r.ListPoisoned(t.Context(), "", PoisonList.First(25))
	require.NoError(t, err)
	require.Len(t, page.Edges, 1)
	require.Contains(t, page.Edges[0].Reason, "10 times in a row")
}
