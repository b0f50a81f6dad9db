package postgres_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given the same failures of Docket's database and of what a plugin asks, then only the first are a lost database.
func TestLost(t *testing.T) {
	t.Parallel()
	_, err := net.Dial("tcp", "127.0.0.1:1")
	require.Error(t, err)
	for _, of := range []error{err, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		require.False(t, postgres.Lost(fmt.Errorf("ask a service: %w", of)), "%v", of)
	}
	own, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/shop")
	require.NoError(t, err)
	t.Cleanup(own.Close)
	err = own.Ping(t.Context())
	require.Error(t, err)
	require.False(t, postgres.Lost(err), "%v", err)

	refused, err := postgres.New(t.Context(), "postgres://127.0.0.1:1/docket", postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(refused.Close)
	require.True(t, postgres.Lost(refused.Ping(t.Context())))

	pool := pgtest.Open(t, pgtest.New(t).Config().ConnString(), postgres.Options{})
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	require.NoError(t, conn.Conn().PgConn().Conn().Close())
	_, err = conn.Exec(t.Context(), `SELECT 1`)
	require.Error(t, err)
	require.NotContains(t, strings.ToLower(err.Error()), "conn closed")
	require.True(t, postgres.Lost(err), "%v", err)
}

// Who takes the end of a deadline for a lost connection does everything again, on new connections.
func TestAStatementAfterTheEndOfItsContextHasNotLostTheConnection(t *testing.T) {
	t.Parallel()
	conn, err := pgtest.Open(t, pgtest.Empty(t), postgres.Options{}).Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	ended, cancel := context.WithCancel(t.Context())
	cancel()

	_, err = conn.Exec(ended, "SELECT 1")
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, postgres.Lost(err))
	require.True(t, postgres.NotCommitted(err), "it was not sent")

	require.NoError(t, conn.Conn().Close(t.Context()))
	_, err = conn.Exec(t.Context(), "SELECT 1")
	require.Error(t, err)
	require.True(t, postgres.Lost(err))
}
