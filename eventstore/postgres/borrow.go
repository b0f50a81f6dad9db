package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var errBorrowed = errors.New("this code works inside its caller's transaction and cannot end it")

// Borrowed is a connection's open transaction for code that must not end it. Commit and Rollback
// fail, Begin makes a savepoint, and Conn is nil, since a connection could end the transaction.
type Borrowed struct {
	conn   *pgx.Conn
	before func(ctx context.Context, sql string)
}

// Borrow returns the open transaction of conn. before, unless nil, is called before each statement
// with its text, or "" for Borrowed's own statements, and with the texts of a batch in turn.
func Borrow(conn *pgx.Conn, before func(ctx context.Context, sql string)) Borrowed {
	if before == nil {
		before = func(context.Context, string) {}
	}
	return Borrowed{conn, before}
}

func (b Borrowed) use(ctx context.Context, sql string) *pgx.Conn {
	b.before(ctx, sql)
	return b.conn
}

// Begin makes a savepoint.
func (b Borrowed) Begin(ctx context.Context) (pgx.Tx, error) {
	if _, err := b.use(ctx, "").Exec(ctx, "SAVEPOINT borrowed"); err != nil {
		return nil, err
	}
	return &savepoint{Borrowed: b}, nil
}

func (Borrowed) Commit(context.Context) error   { return errBorrowed }
func (Borrowed) Rollback(context.Context) error { return errBorrowed }
func (Borrowed) Conn() *pgx.Conn                { return nil }

// LargeObjects returns the zero value, whose methods panic: borrowed code cannot use large objects.
func (Borrowed) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

func (b Borrowed) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	return b.use(ctx, "").CopyFrom(ctx, table, columns, rows)
}

func (b Borrowed) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	for _, q := range batch.QueuedQueries {
		b.before(ctx, q.SQL)
	}
	return b.conn.SendBatch(ctx, batch)
}

func (b Borrowed) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return b.use(ctx, sql).Prepare(ctx, name, sql)
}

func (b Borrowed) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return b.use(ctx, sql).Exec(ctx, sql, args...)
}

func (b Borrowed) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return b.use(ctx, sql).Query(ctx, sql, args...)
}

func (b Borrowed) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return b.use(ctx, sql).QueryRow(ctx, sql, args...)
}

// savepoint is a nested transaction. All savepoints have the same name, so the innermost ends
// first.
type savepoint struct {
	Borrowed
	ended bool
}

func (s *savepoint) Commit(ctx context.Context) error {
	return s.end(ctx, "RELEASE SAVEPOINT borrowed")
}

func (s *savepoint) Rollback(ctx context.Context) error {
	if err := s.end(ctx, "ROLLBACK TO SAVEPOINT borrowed"); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, "RELEASE SAVEPOINT borrowed")
	return err
}

func (s *savepoint) end(ctx context.Context, sql string) error {
	if s.ended {
		return pgx.ErrTxClosed
	}
	s.ended = true
	_, err := s.conn.Exec(ctx, sql)
	return err
}
