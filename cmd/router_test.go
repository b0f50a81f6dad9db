package cmd

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/subscribers"
)

// lines are what is logged, line by line.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

// Given a server that starts while another holds the topic longer than a lock is
// waited for, as one that rewrites a restored topic may, when that is over, then it
// delivers.
func TestDeliveringBeginsHoweverOftenItsStartFails(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{LockTimeout: 100 * time.Millisecond})
	heard := make(chan string, 1)
	router, err := subscribers.NewRouter(pool, subscribers.Config{}, event.Listener{
		Group: "test", Handle: func(_ context.Context, _ pgx.Tx, e event.Event) error { heard <- e.ID; return nil },
	})
	require.NoError(t, err)
	hold := pgtest.Begin(t, pool)
	pgtest.Exec(t, hold, `LOCK TABLE watermill_docket_events IN ACCESS EXCLUSIVE MODE`)

	logged := make(lines, 100)
	s := &Server{log: zerolog.New(logged), router: router}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.runRouter(ctx); close(ended) }()
	for range 2 {
		line := <-logged
		require.Contains(t, line, "55P03")
	}
	require.NoError(t, hold.Rollback(t.Context()))

	sent := outbox.Message{ID: uuid.Must(uuid.NewV7()), Name: event.ReportCreated, OccurredAt: time.Now(), Payload: []byte(`{}`)}
	batch := &pgx.Batch{}
	require.NoError(t, outbox.Queue(batch, sent))
	require.NoError(t, pool.SendBatch(t.Context(), batch).Close())
	require.Equal(t, sent.ID.String(), <-heard)
	cancel()
	<-ended
}
