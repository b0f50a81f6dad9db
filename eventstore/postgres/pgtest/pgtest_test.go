package pgtest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
)

func TestNewGivesEachTestAMigratedDatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			current, err := migrations.Docket.Current(t.Context(), pool)
			require.NoError(t, err)
			require.True(t, current)
			_, err = pool.Exec(t.Context(), "CREATE TABLE mine (id int)")
			require.NoError(t, err, "another test's table is here")
		})
	}
}

func TestDatabaseIsDroppedAfterItsTest(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("uses it and leaves a connection open", func(t *testing.T) {
		url = pgtest.URL(t)
		_, err := pgx.Connect(context.Background(), url)
		require.NoError(t, err)
	})
	_, err := pgx.Connect(t.Context(), url)
	require.ErrorContains(t, err, "does not exist")
}

func TestEmptyHasNoTables(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.Empty(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	var tables int
	err = conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").Scan(&tables)
	require.NoError(t, err)
	require.Zero(t, tables)
}
