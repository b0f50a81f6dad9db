package subscribers

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// BenchmarkCatchUp reads a backlog of a million messages, ours to its end and
// watermill-sql's stock query for as many messages as fit into ten seconds, since
// each of its batches scans all that is unread. It reports messages a second over
// the first and the last tenth of what was read; a steady rate has them alike.
// Run it with -benchtime 1x.
func BenchmarkCatchUp(b *testing.B) {
	const behind = 1_000_000
	pool := pgtest.New(b)
	// The backlog's transaction ids must be below those the cluster has given out.
	backlogBelow(b, pool, behind)

	b.Run("docket", func(b *testing.B) {
		for i := range b.N {
			ctx, cancel := context.WithTimeout(b.Context(), 10*time.Minute)
			read := arrivals{began: time.Now()}
			router, err := NewRouter(pool, Config{PollInterval: time.Millisecond}, event.Listener{
				Group: fmt.Sprint("ours-", i), Handle: func(context.Context, pgx.Tx, event.Event) error {
					if read.add(); read.n == behind {
						cancel()
					}
					return nil
				}})
			require.NoError(b, err)
			require.NoError(b, router.Run(ctx))
			cancel()
			read.report(b)
		}
	})
	b.Run("stock", func(b *testing.B) {
		db := stdlib.OpenDBFromPool(pool)
		defer db.Close()
		for i := range b.N {
			stock := newStock(b, db, fmt.Sprint("stock-", i))
			ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
			messages, err := stock.Subscribe(ctx, outbox.Topic)
			require.NoError(b, err)
			read := arrivals{began: time.Now()}
			for msg := range messages {
				msg.Ack()
				read.add()
			}
			cancel()
			require.NoError(b, stock.Close())
			read.report(b)
		}
	})
}

func backlogBelow(b *testing.B, pool *pgxpool.Pool, n int) {
	b.Helper()
	placeFreely(b, pool)
	pgtest.Exec(b, pool, `INSERT INTO watermill_docket_events (uuid, payload, metadata, transaction_id)
		SELECT gen_random_uuid()::text, '{"reportId": "0197a0b0-0000-7000-8000-000000000001"}',
		       json_build_object('name', 'moderation.report.created', 'occurred_at', now()),
		       (1 + i * 500 / $1)::text::xid8
		FROM generate_series(1, $1::int) i`, n)
	pgtest.Exec(b, pool, `VACUUM ANALYZE watermill_docket_events`)
}

// arrivals are the times of each hundredth message.
type arrivals struct {
	began time.Time
	n     int
	at    []time.Duration
}

func (a *arrivals) add() {
	if a.n++; a.n%100 == 0 {
		a.at = append(a.at, time.Since(a.began))
	}
}

func (a *arrivals) report(b *testing.B) {
	b.Helper()
	tenth := max(len(a.at)/10, 1)
	require.Greater(b, len(a.at), tenth, "too few messages for a rate")
	last := len(a.at) - 1
	b.ReportMetric(float64(100*tenth)/a.at[tenth-1].Seconds(), "first-msgs/s")
	b.ReportMetric(float64(100*tenth)/(a.at[last]-a.at[last-tenth]).Seconds(), "last-msgs/s")
	b.ReportMetric(float64(a.n), "msgs")
}
