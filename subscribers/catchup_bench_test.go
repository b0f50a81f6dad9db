package subscribers

import (
	"context"
	"fmt"
	"testing"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

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
			group := fmt.Sprint("ours-", i)
			pgtest.Exec(b, pool, publicEvents.enrollQuery(), group)
			catchUp(b, &subscriber{
				pool: pool, group: group, topic: func(string) topic { return publicEvents }, poll: time.Millisecond, log: zerolog.Nop(),
			}, behind, 10*time.Minute)
		}
	})
	b.Run("stock", func(b *testing.B) {
		db := stdlib.OpenDBFromPool(pool)
		defer db.Close()
		for i := range b.N {
			stock, err := watermillsql.NewSubscriber(db, watermillsql.SubscriberConfig{
				ConsumerGroup: fmt.Sprint("stock-", i), SchemaAdapter: outbox.Schema(), OffsetsAdapter: watermillsql.DefaultPostgreSQLOffsetsAdapter{},
			}, nil)
			require.NoError(b, err)
			catchUp(b, stock, behind, 10*time.Second)
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

func catchUp(b *testing.B, subscriber message.Subscriber, behind int, limit time.Duration) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), limit)
	defer cancel()
	messages, err := subscriber.Subscribe(ctx, outbox.Topic)
	require.NoError(b, err)

	began := time.Now()
	var arrivals []time.Duration // of each hundredth message
	read := 0
	for msg := range messages {
		msg.Ack()
		if read++; read%100 == 0 {
			arrivals = append(arrivals, time.Since(began))
		}
		if read == behind {
			break
		}
	}
	cancel()
	require.NoError(b, subscriber.Close())
	tenth := max(len(arrivals)/10, 1)
	require.Greater(b, len(arrivals), tenth, "too few messages for a rate")
	last := len(arrivals) - 1
	b.ReportMetric(float64(100*tenth)/arrivals[tenth-1].Seconds(), "first-msgs/s")
	b.ReportMetric(float64(100*tenth)/(arrivals[last]-arrivals[last-tenth]).Seconds(), "last-msgs/s")
	b.ReportMetric(float64(read), "msgs")
}
