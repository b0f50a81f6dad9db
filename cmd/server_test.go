package cmd

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

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
		var others int
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&others))
		return others == 0
	}, "its connections are closed")
}
