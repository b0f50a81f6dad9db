package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestNewServerNamesFaultySettings(t *testing.T) {
	t.Parallel()
	_, err := NewServer(t.Context(), map[string]string{"DATABASE_URL": "mysql://x", "LOG_LEVEL": "loud"}, io.Discard)
	require.ErrorContains(t, err, "DATABASE_URL")
	require.ErrorContains(t, err, "LOG_LEVEL")
}

func TestNewServerLeavesNoConnectionWhenItFails(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	_, err := NewServer(t.Context(), environment, io.Discard, func(context.Context, Host) (*Plugin, error) { return nil, errors.New("no key") })
	require.EqualError(t, err, "plugin source 1 of 1: no key")

	conn, err := pgx.Connect(t.Context(), environment["DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	pgtest.Eventually(t, func() bool {
		others := pgtest.One[int](t, conn, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
		return others == 0
	}, "its connections are closed")
}

// Given a server that another program embeds, and a listener of a plugin that never returns, when it
// is told to stop, then Run and Close return within the time that operators are promised.
func TestEmbeddedServerStopsThoughAPluginIgnoresIt(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 9)
	var host Host
	deaf := func(_ context.Context, h Host) (*Plugin, error) {
		host = h
		p := &Plugin{}
		p.ID = "deaf"
		p.Listeners = []event.Listener{{Group: "deaf.reports", Events: []string{event.ReportCreated}, Handle: func(context.Context, pgx.Tx, event.Event) error {
			begun <- struct{}{}
			select {}
		}}}
		return p, nil
	}
	var said bytes.Buffer
	s, err := NewServer(t.Context(), map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}, &said, deaf)
	require.NoError(t, err)
	message := &pgx.Batch{}
	require.NoError(t, outbox.Queue(message, outbox.Message{ID: uuid.New(), Name: event.ReportCreated, OccurredAt: time.Now(), Payload: []byte("{}")}))
	require.NoError(t, host.Pool.SendBatch(t.Context(), message).Close())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		s.Run(ctx)
		ended <- s.Close()
	}()
	<-begun

	stop()

	select {
	case err := <-ended:
		require.NoError(t, err)
		require.Contains(t, said.String(), `"kind":"listener","name":"deaf.reports"`)
	case <-time.After(10 * time.Second):
		t.Fatal("it did not stop within 10 s")
	}
}
