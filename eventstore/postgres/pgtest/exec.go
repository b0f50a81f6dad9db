package pgtest

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

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
