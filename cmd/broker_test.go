package cmd

import (
	nethttp "net/http"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/subscribers/broker"
)

// Given DOCKET_BROKER_URL, then what is filed over HTTP is in the broker's stream.
func TestServerForwardsToTheBroker(t *testing.T) {
	t.Parallel()
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(time.Minute))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })

	p := startProcess(t, map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_BROKER_URL": s.ClientURL()}, "demo")
	status, filed, err := p.send(p.signIn("member1@demo.test"), nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "spam"})
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusCreated, status)

	conn, err := nats.Connect(s.ClientURL())
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	var message *jetstream.RawStreamMsg
	require.Eventually(t, func() bool {
		stream, err := js.Stream(t.Context(), broker.Stream)
		if err != nil {
			return false
		}
		message, err = stream.GetLastMsgForSubject(t.Context(), event.ReportCreated)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.Contains(t, string(message.Data), filed["id"])
}
