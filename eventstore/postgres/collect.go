package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Querier is a pool, a connection, a transaction or a Replica.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Execer is a pool, a connection or a transaction.
type Execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// Exec runs a statement. task begins the message of the error, such as "end sessions".
func Exec(ctx context.Context, db Execer, task, sql string, args ...any) error {
	if _, err := db.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return nil
}

// Collect runs a query and returns its rows as scan reads them. task begins the message of
// the error, such as "list users".
func Collect[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", task, err)
	}
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", task, err)
	}
	return all, nil
}

// CollectOne is Collect for a query that returns one row. Its error wraps pgx.ErrNoRows if
// there is none.
func CollectOne[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	var none T
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return none, fmt.Errorf("%s: %w", task, err)
	}
	one, err := pgx.CollectExactlyOneRow(rows, scan)
	if err != nil {
		return none, fmt.Errorf("%s: %w", task, err)
	}
	return one, nil
}

// ForEach runs a query, scans each row into the destinations and then calls each.
func ForEach(ctx context.Context, db Querier, task string, into []any, each func() error, sql string, args ...any) error {
	rows, err := db.Query(ctx, sql, args...)
	if err == nil {
		_, err = pgx.ForEachRow(rows, into, each)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return nil
}

// ScanBuilt returns a function that runs a query as query builders return it, for one row,
// and scans the row into the destinations.
func ScanBuilt(ctx context.Context, db Reader, task string, into ...any) func(sql string, args []any, err error) error {
	return func(sql string, args []any, err error) error {
		if err == nil {
			err = db.QueryRow(ctx, sql, args...).Scan(into...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", task, err)
		}
		return nil
	}
}
