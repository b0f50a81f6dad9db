package subscribers

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a listener that sends nothing but a batch, when it fails on the first event until the
// last retry and on another event always, then only the latter is set aside and the effects of
// the others are there exactly once.
func TestAFailedBatchLeavesNoTrace(t *testing.T) {
	t.Parallel()
	const counts = `INSERT INTO counted VALUES ('all', 1) ON CONFLICT (category) DO UPDATE SET n = counted.n + 1`
	cases := map[string][]string{
		"its first statement fails":        {`SELECT 1/0`, counts},
		"its second statement fails":       {counts, `SELECT 1/0`},
		"a statement cannot be prepared":   {counts, `SELECT FROM nowhere`},
		"a statement lacks an argument":    {counts, `SELECT $1::int`},
		"it undoes a savepoint of its own": {`SAVEPOINT own`, counts, `ROLLBACK TO own`, `SELECT 1/0`},
	}
	for name, failing := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			counted := counter(t, pool)
			messages := series(7)
			publish(t, pool, messages...)
			tries := map[string]int{}
			r := start(t, pool, event.Listener{Group: "batches", Handle: func(ctx context.Context, tx pgx.Tx, e event.Event) error {
				tries[e.ID]++
				batch := &pgx.Batch{}
				if first := e.ID == messages[0].ID.String(); first && tries[e.ID] <= 2 || e.ID == messages[3].ID.String() {
					for _, sql := range failing {
						batch.Queue(sql)
					}
				} else {
					batch.Queue(counts)
				}
				return tx.SendBatch(ctx, batch).Close()
			}})
			caughtUp(t, pool)
			require.Equal(t, 6, counted())
			require.NotContains(t, setAside(t, r, messages[3]).Reason, "transaction")
		})
	}
}

// Given a subscription that ends in the middle of a batch, then what was handled is committed
// with its position, acknowledged or not, and nothing after it.
func TestThePositionIsThatOfTheLastHandledEvent(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"before the second event is handled": 1, "before it is acknowledged": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			counted := counter(t, pool)
			publish(t, pool, series(3)...)
			r, err := NewRouter(pool, fast(t), event.Listener{Group: "counts", Handle: func(ctx context.Context, tx pgx.Tx, _ event.Event) error {
				return count(ctx, tx)
			}})
			require.NoError(t, err)
			require.NoError(t, r.enroll(t.Context()))
			g := r.groups["counts"]
			s := &subscriber{
				pool: pool, group: "counts", topic: func(string) topic { return publicEvents },
				poll: time.Millisecond, firstRetry: time.Millisecond, maxRetry: time.Millisecond, log: zerolog.Nop(),
			}
			messages, err := s.Subscribe(t.Context(), outbox.Topic)
			require.NoError(t, err)

			first := <-messages
			require.NoError(t, g.deliver(first))
			first.Ack()
			second := <-messages
			if want == 2 {
				require.NoError(t, g.deliver(second))
			}
			require.NoError(t, s.Close())
			require.ErrorIs(t, g.deliver(second), errBatchOver)

			require.Equal(t, want, counted())
			lags, err := Lags(t.Context(), pool)
			require.NoError(t, err)
			require.EqualValues(t, 3-want, lags[0].Messages)
		})
	}
}
