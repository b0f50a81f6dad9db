package broker_test

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers"
)

// follow hands on what happens to reports until the answer is stopped. The consumer
// is durable: what happens while nobody follows comes later.
func follow(ctx context.Context, conn *nats.Conn, handle func(id, name string, payload []byte) error) (jetstream.ConsumeContext, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	consumer, err := js.CreateOrUpdateConsumer(ctx, "docket_events", jetstream.ConsumerConfig{
		Durable: "search", FilterSubject: "moderation.report.>",
	})
	if err != nil {
		return nil, err
	}
	return consumer.Consume(func(m jetstream.Msg) {
		// A repeat has the same message id.
		if err := handle(m.Headers().Get("Nats-Msg-Id"), m.Subject(), m.Data()); err != nil {
			_ = m.Nak() // it comes again
			return
		}
		_ = m.Ack()
	})
}

func TestExampleConsumerFollowsReports(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s := startBroker(t, -1, t.TempDir())
	router, err := subscribers.NewRouter(pool, subscribers.Config{PollInterval: 5 * time.Millisecond, Forwarders: []subscribers.Forwarder{connect(t, s.ClientURL()).Forwarder()}})
	require.NoError(t, err)
	platformtest.Run(t, func(ctx context.Context) { assert.NoError(t, router.Run(ctx)) })
	conn, err := nats.Connect(s.ClientURL())
	require.NoError(t, err)
	t.Cleanup(conn.Close)

	// Every other event is of a report; what comes before the consumer does, comes too.
	ids := publish(t, pool, 0, 10)
	pgtest.Eventually(t, func() bool { return held(t, s.ClientURL()) == len(ids) }, "the broker stores everything")
	heard := make(chan [2]string, len(ids))
	following, err := follow(t.Context(), conn, func(id, name string, _ []byte) error {
		heard <- [2]string{id, name}
		return nil
	})
	require.NoError(t, err)
	ids = append(ids, publish(t, pool, 10, 10)...)
	for i := 0; i < len(ids); i += 2 {
		select {
		case got := <-heard:
			require.Equal(t, [2]string{ids[i], event.ReportCreated}, got)
		case <-time.After(time.Minute):
			t.Fatal("nothing came")
		}
	}
	following.Stop()
	<-following.Closed()
}
