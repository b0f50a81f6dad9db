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
	away, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/shop")
	require.NoError(t, err)
	t.Cleanup(away.Close)
	err = away.Ping(t.Context())
	require.Error(t, err)
	require.False(t, postgres.Lost(err), "%v", err)

	refused, err := postgres.New(t.Context(), "postgres://127.0.0.1:1/docket", postgres.Options{})
	require.NoError(t, err)
	t.Cleanup(refused.Close)
	require.True(t, postgres.Lost(refused.Ping(t.Context())))

	url := pgtest.New(t).Config().ConnString()
	own, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(own.Close)
	for _, of := range []struct {
		pool *pgxpool.Pool
		lost bool
	}{{own, false}, {pgtest.Open(t, url, postgres.Options{}), true}} {
		for name, lose := range map[string]func(*pgxpool.Conn) error{
			"the connection is cut": func(conn *pgxpool.Conn) error {
				require.NoError(t, conn.Conn().PgConn().Conn().Close())
				_, err := conn.Exec(t.Context(), `SELECT 1`)
				return err
			},
			"the server shuts down": func(conn *pgxpool.Conn) error {
				_, err := conn.Exec(t.Context(), `SELECT pg_terminate_backend(pg_backend_pid())`)
				return err
			},
			"the server is a standby": func(conn *pgxpool.Conn) error {
				_, err := conn.Exec(t.Context(), `BEGIN READ ONLY; CREATE TABLE t ()`)
				return err
			},
		} {
			conn, err := of.pool.Acquire(t.Context())
			require.NoError(t, err)
			err = lose(conn)
			conn.Release()
			require.Error(t, err)
			require.NotContains(t, strings.ToLower(err.Error()), "conn closed")
			require.Equal(t, of.lost, postgres.Lost(err), "%s: %v", name, err)
		}
	}
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
