package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Open opens a pool of the test's own, which is closed when the test ends.
func Open(t testing.TB, url string, o postgres.Options) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(context.Background(), url, o)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// Begin begins a transaction, which is rolled back when the test ends unless it was ended before.
func Begin(t testing.TB, db interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}) pgx.Tx {
	t.Helper()
	tx, err := db.Begin(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return tx
}

// Exec runs a statement on a pool, a connection or in a transaction. It must succeed.
func Exec(t require.TestingT, db interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}, sql string, args ...any) {
	_, err := db.Exec(context.Background(), sql, args...)
	require.NoError(t, err, sql)
}

// One returns the value that a query selects: one column of one row.
func One[T any](t require.TestingT, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, sql string, args ...any) (value T) {
	require.NoError(t, db.QueryRow(context.Background(), sql, args...).Scan(&value), sql)
	return value
}

// All returns the values that a query selects: one column of any number of rows.
func All[T any](t require.TestingT, db postgres.Querier, sql string, args ...any) []T {
	rows, err := db.Query(context.Background(), sql, args...)
	require.NoError(t, err, sql)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err, sql)
	return values
}
