//go:build cluster

package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// brokerHolds waits until the stream has as many messages as there are events, and
// returns the ids of all its messages, sorted.
func brokerHolds(ctx context.Context, t *testing.T, events []string) (ids []string) {
	t.Helper()
	conn, err := nats.Connect(running.brokerURLs())
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	stream, err := js.Stream(ctx, "docket_events")
	require.NoError(t, err)
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		info, err := stream.Info(ctx)
		if err == nil && info.State.Msgs >= uint64(len(events)) {
			require.Equal(t, 3, info.Config.Replicas)
			break
		}
		require.True(t, time.Now().Before(deadline), "the stream has %d of %d events: %v", info.State.Msgs, len(events), err)
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	require.NoError(t, err)
	for {
		batch, err := consumer.FetchNoWait(1000)
		require.NoError(t, err)
		before := len(ids)
		for m := range batch.Messages() {
			ids = append(ids, m.Headers().Get(nats.MsgIdHdr))
		}
		require.NoError(t, batch.Error())
		if len(ids) == before {
			break
		}
	}
	slices.Sort(ids)
	return ids
}
