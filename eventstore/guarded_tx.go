package eventstore

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// guardedTx lends the command's transaction to the run of a content action. It
// can neither commit nor roll back; Begin gives a savepoint.
type guardedTx struct{ conn *pgx.Conn }

var errGuarded = errors.New("a content action works inside the report's transaction and cannot end it")

func (t guardedTx) Begin(ctx context.Context) (pgx.Tx, error) {
	if _, err := t.conn.Exec(ctx, "SAVEPOINT content_action"); err != nil {
		return nil, err
	}
	return &savepoint{guardedTx: t}, nil
}
func (guardedTx) Commit(context.Context) error   { return errGuarded }
func (guardedTx) Rollback(context.Context) error { return errGuarded }

func (t guardedTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, src pgx.CopyFromSource) (int64, error) {
	return t.conn.CopyFrom(ctx, table, columns, src)
}
func (t guardedTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return t.conn.SendBatch(ctx, b)
}
func (guardedTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }
func (t guardedTx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return t.conn.Prepare(ctx, name, sql)
}
func (t guardedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return t.conn.Exec(ctx, sql, args...)
}
func (t guardedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return t.conn.Query(ctx, sql, args...)
}
func (t guardedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return t.conn.QueryRow(ctx, sql, args...)
}

// Conn is nil: a connection could end the transaction.
func (guardedTx) Conn() *pgx.Conn { return nil }

// savepoint is a nested transaction of an action. Savepoints of one action
// share a name, so the innermost is the one that ends.
type savepoint struct {
	guardedTx
	ended bool
}

func (s *savepoint) Commit(ctx context.Context) error {
	return s.end(ctx, "RELEASE SAVEPOINT content_action")
}

func (s *savepoint) Rollback(ctx context.Context) error {
	if err := s.end(ctx, "ROLLBACK TO SAVEPOINT content_action"); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, "RELEASE SAVEPOINT content_action")
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
