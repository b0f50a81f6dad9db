package broker_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	wmnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/broker"
)

// startBroker runs a real NATS server with JetStream in this process; port -1 picks
// a free one.
func startBroker(t *testing.T, port int, dir string) *server.Server {
	t.Helper()
	return startBrokerWith(t, server.Options{Port: port, StoreDir: dir})
}

func startBrokerWith(t *testing.T, o server.Options) *server.Server {
	t.Helper()
	o.Host, o.JetStream, o.NoLog, o.NoSigs = "127.0.0.1", true, true, true
	s, err := server.NewServer(&o)
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(10*time.Second))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func connect(t *testing.T, url string) *broker.Publisher {
	t.Helper()
	p, err := broker.Connect(url, 1, zerolog.Nop())
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// TestConformance holds the publisher to Watermill's own suite on a real JetStream,
// beside the library's subscriber, which makes a stream for each of the suite's topics.
func TestConformance(t *testing.T) {
	s := startBroker(t, -1, t.TempDir())
	pubSub := func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
		count := 1
		if group != "" {
			count = 2
		}
		subscriber, err := wmnats.NewSubscriber(wmnats.SubscriberConfig{
			URL: s.ClientURL(), QueueGroupPrefix: group, SubscribersCount: count, Unmarshaler: &wmnats.NATSMarshaler{},
			AckWaitTimeout: 30 * time.Second, CloseTimeout: 30 * time.Second, SubscribeTimeout: 30 * time.Second,
			JetStream: wmnats.JetStreamConfig{
				DurablePrefix: group, AckAsync: true, SubscribeOptions: []nats.SubOpt{nats.DeliverAll(), nats.AckExplicit()},
			},
		}, watermill.NopLogger{})
		require.NoError(t, err)
		return connect(t, s.ClientURL()), subscriber
	}
	tests.TestPubSub(t,
		tests.Features{
			ConsumerGroups: true, GuaranteedOrder: true, GuaranteedOrderWithSingleSubscriber: true, Persistent: true,
			NewSubscriberReceivesOldMessages: true,
		},
		func(t *testing.T) (message.Publisher, message.Subscriber) { return pubSub(t, "") },
		pubSub,
	)
}

func publish(t *testing.T, pool *pgxpool.Pool, from, n int) (ids []string) {
	t.Helper()
	for i := from; i < from+n; i++ {
		id := uuid.Must(uuid.NewV7())
		batch := &pgx.Batch{}
		require.NoError(t, outbox.Queue(batch, outbox.Message{
			ID: id, Name: []string{event.ReportCreated, event.Hidden("forum.post")}[i%2], ReportID: "r", Sequence: int64(i),
			PluginID: "forum", OccurredAt: time.Now(), Payload: fmt.Appendf(nil, `{"n":%d}`, i),
		}))
		require.NoError(t, pool.SendBatch(t.Context(), batch).Close())
		ids = append(ids, id.String())
	}
	return ids
}

// withStream lets use have the broker's stream and how many messages it has, if there is one.
func withStream(t *testing.T, url string, use func(s jetstream.Stream, messages int)) {
	t.Helper()
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	stream, err := js.Stream(t.Context(), broker.Stream)
	if err != nil {
		return
	}
	info := stream.CachedInfo()
	require.Equal(t, time.Hour, info.Config.Duplicates, "in which it drops repeats")
	use(stream, int(info.State.Msgs))
}

// held is how many messages the stream has.
func held(t *testing.T, url string) (n int) {
	t.Helper()
	withStream(t, url, func(_ jetstream.Stream, messages int) { n = messages })
	return n
}

// stored reads the whole stream.
func stored(t *testing.T, url string) (all []jetstream.Msg) {
	t.Helper()
	withStream(t, url, func(s jetstream.Stream, messages int) {
		consumer, err := s.OrderedConsumer(t.Context(), jetstream.OrderedConsumerConfig{})
		require.NoError(t, err)
		for range messages {
			msg, err := consumer.Next(jetstream.FetchMaxWait(5 * time.Second))
			require.NoError(t, err)
			all = append(all, msg)
		}
	})
	return all
}

// Given a broker that is not there at first, goes in the middle and comes back, then
// its stream holds each event once, in order, under a subject of its name.
func TestABrokerThatComesAndGoesDelaysAndLosesNothing(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	dir := t.TempDir()
	port := freePort(t)
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)

	publisher := connect(t, url)
	router, err := subscribers.NewRouter(pool, subscribers.Config{PollInterval: 5 * time.Millisecond, Forwarders: []subscribers.Forwarder{publisher.Forwarder()}})
	require.NoError(t, err)
	platformtest.Run(t, func(ctx context.Context) { assert.NoError(t, router.Run(ctx)) })

	want := publish(t, pool, 0, 150)
	for round := range 3 {
		s := startBroker(t, port, dir)
		want = append(want, publish(t, pool, len(want), 150)...)
		pgtest.Eventually(t, func() bool { return held(t, url) > 100*(round+1) }, "the broker stores more")
		s.Shutdown()
		s.WaitForShutdown()
		want = append(want, publish(t, pool, len(want), 50)...)
	}
	startBroker(t, port, dir)
	pgtest.Eventually(t, func() bool { return held(t, url) >= len(want) }, "the broker stores everything")

	var got []string
	all := stored(t, url)
	for i, msg := range all {
		got = append(got, msg.Headers().Get(nats.MsgIdHdr))
		require.Equal(t, []string{event.ReportCreated, event.Hidden("forum.post")}[i%2], msg.Subject())
		require.JSONEq(t, fmt.Sprintf(`{"n":%d}`, i), string(msg.Data()))
	}
	require.Equal(t, want, got)
	head := all[1].Headers()
	require.Equal(t, []string{"content.forum.post.hidden", "forum", "1", "application/json", "1", want[1]},
		[]string{head.Get("name"), head.Get("plugin_id"), head.Get("sequence"), head.Get("content_type"), head.Get("schema"), head.Get(wmnats.WatermillUUIDHdr)})
	poisoned := pgtest.One[int](t, pool, `SELECT count(*) FROM core_poison`)
	require.Zero(t, poisoned)
}

// Given a broker that refuses the password for a while, then it is asked until it takes it again.
func TestABrokerThatRefusesForAWhileIsAskedAgain(t *testing.T) {
	t.Parallel()
	o := server.Options{Port: freePort(t), StoreDir: t.TempDir(), Username: "docket", Password: "another"}
	s := startBrokerWith(t, o)
	publisher := connect(t, fmt.Sprintf("nats://docket:secret@127.0.0.1:%d", o.Port))
	pgtest.Eventually(t, func() bool {
		refused, err := s.Connz(&server.ConnzOptions{State: server.ConnClosed})
		return err == nil && refused.Total >= 3
	}, "it refuses several times")
	s.Shutdown()
	s.WaitForShutdown()

	o.Password = "secret"
	startBrokerWith(t, o)
	pgtest.Eventually(t, publisher.Connected, "it is connected")
}

// Given a broker that is away, then other groups hear of events all the same.
func TestABrokerThatIsAwayHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	publisher := connect(t, fmt.Sprintf("nats://127.0.0.1:%d", freePort(t)))
	heard := make(chan string, 500)
	router, err := subscribers.NewRouter(pool, subscribers.Config{PollInterval: 5 * time.Millisecond, Forwarders: []subscribers.Forwarder{publisher.Forwarder()}},
		event.Listener{Group: "other", Handle: func(_ context.Context, _ pgx.Tx, e event.Event) error { heard <- e.ID; return nil }})
	require.NoError(t, err)
	platformtest.Run(t, func(ctx context.Context) { assert.NoError(t, router.Run(ctx)) })
	for _, id := range publish(t, pool, 0, 300) {
		select {
		case got := <-heard:
			require.Equal(t, id, got)
		case <-time.After(10 * time.Second):
			t.Fatal("the other group waits")
		}
	}
}

func TestAnAddressThatIsNoneIsRefusedWithoutShowingIt(t *testing.T) {
	t.Parallel()
	_, err := broker.Connect("nats://user:secret@[::1:bad", 1, zerolog.Nop())
	require.ErrorContains(t, err, "DOCKET_BROKER_URL")
	require.NotContains(t, err.Error(), "secret")
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close())
	return port
}
