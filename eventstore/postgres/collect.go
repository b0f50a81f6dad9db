package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
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

// Send sends a batch. task begins the message of the error.
func Send(ctx context.Context, db interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}, task string, b *pgx.Batch) error {
	if err := db.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("%s: %w", task, err)
	}
	return nil
}

// Transact runs do in a transaction. task begins the message of the error, unless it has a code of
// the domain.
func Transact(ctx context.Context, pool *pgxpool.Pool, task string, do func(tx pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, pool, do)
	if err != nil && domain.ErrorCode(err) == "" {
		return fmt.Errorf("%s: %w", task, err)
	}
	return err
}

// ExecFound is Exec that returns not_found if the statement changes no row.
func ExecFound(ctx context.Context, db Execer, task, sql string, args ...any) error {
	tag, err := db.Exec(ctx, sql, args...)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", task, err)
	case tag.RowsAffected() == 0:
		return domain.NotFound()
	}
	return nil
}

// ExecAll runs a statement that changes at most limit rows until it changes fewer, and returns
// how many it has changed.
func ExecAll(ctx context.Context, db Execer, task string, limit int64, sql string, args ...any) (total int64, err error) {
	for {
		tag, err := db.Exec(ctx, sql, args...)
		if err != nil {
			return total, fmt.Errorf("%s: %w", task, err)
		}
		total += tag.RowsAffected()
		if tag.RowsAffected() < limit {
			return total, nil
		}
	}
}

// Collect runs a query and returns its rows as scan reads them. task begins the message of
// the error, such as "list users".
func Collect[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T], sql string, args ...any) (all []T, err error) {
	rows, err := db.Query(ctx, sql, args...)
	if err == nil {
		all, err = pgx.CollectRows(rows, scan)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", task, err)
	}
	return all, nil
}

// QueueCollect adds a query to the batch and stores its rows in all, as scan reads them.
func QueueCollect[T any](b *pgx.Batch, all *[]T, scan pgx.RowToFunc[T], sql string, args ...any) {
	b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*all, err = pgx.CollectRows(rows, scan)
		return err
	})
}

// CollectOne is Collect for a query that returns one row. Its error wraps pgx.ErrNoRows if
// there is none.
func CollectOne[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T], sql string, args ...any) (one T, err error) {
	rows, err := db.Query(ctx, sql, args...)
	if err == nil {
		one, err = pgx.CollectExactlyOneRow(rows, scan)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", task, err)
	}
	return one, err
}

// CollectFirst is Collect for the first row; it returns nil if there is none.
func CollectFirst[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T], sql string, args ...any) (*T, error) {
	all, err := Collect(ctx, db, task, scan, sql, args...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// CollectFound is CollectOne that returns not_found if there is no row.
func CollectFound[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	one, err := CollectOne(ctx, db, task, scan, sql, args...)
	if errors.Is(err, pgx.ErrNoRows) {
		err = domain.NotFound()
	}
	return one, err
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

// CollectBuilt is Collect for the results of a query builder's ToSql.
func CollectBuilt[T any](ctx context.Context, db Querier, task string, scan pgx.RowToFunc[T]) func(sql string, args []any, err error) ([]T, error) {
	return func(sql string, args []any, err error) ([]T, error) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", task, err)
		}
		return Collect(ctx, db, task, scan, sql, args...)
	}
}

// ScanBuilt is a query for one row, for the results of a query builder's ToSql. It scans the row
// into the destinations.
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
