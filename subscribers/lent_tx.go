package subscribers

import (
	"context"
	"errors"
	"fmt"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// lentTx is a transaction that its borrower works in and cannot end; Begin gives a
// savepoint of the borrower's own. The attempt's savepoint comes with the first
// statement, so a borrower that wants nothing of the database costs it nothing.
type lentTx struct {
	pgx.Tx
	ctx   context.Context // of the attempt
	begun bool
}

var errLent = errors.New("a listener works inside the message's transaction and cannot end it")

func (t *lentTx) Commit(context.Context) error   { return errLent }
func (t *lentTx) Rollback(context.Context) error { return errLent }

func (t *lentTx) Begin(ctx context.Context) (pgx.Tx, error) {
	return savepoint{t.use(ctx)}.Begin(ctx)
}

func (t *lentTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	return t.use(ctx).CopyFrom(ctx, table, columns, rows)
}

func (t *lentTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return t.use(ctx).SendBatch(ctx, b)
}

func (t *lentTx) LargeObjects() pgx.LargeObjects { return t.use(t.ctx).LargeObjects() }

func (t *lentTx) Prepare(ctx context.Context, name, query string) (*pgconn.StatementDescription, error) {
	return t.use(ctx).Prepare(ctx, name, query)
}

func (t *lentTx) Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error) {
	return t.use(ctx).Exec(ctx, query, args...)
}

func (t *lentTx) Query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	return t.use(ctx).Query(ctx, query, args...)
}

func (t *lentTx) QueryRow(ctx context.Context, query string, args ...any) pgx.Row {
	return t.use(ctx).QueryRow(ctx, query, args...)
}

// Conn is nil: a connection could end the transaction.
func (t *lentTx) Conn() *pgx.Conn { return nil }

// whole tells whether the transaction is there and has not failed.
func (t *lentTx) whole() bool { return t.Tx.Conn().PgConn().TxStatus() == 'T' }

// ended tells whether the borrower ended the transaction, with an SQL statement.
func (t *lentTx) ended() bool { return t.Tx.Conn().PgConn().TxStatus() == 'I' }

// use gives the transaction with the savepoint set. When it cannot be set, the
// transaction has failed or its connection is lost, and the borrower's statement
// meets the same; that of a borrower in no hurry is given the attempt's time.
func (t *lentTx) use(ctx context.Context) pgx.Tx {
	if !t.begun {
		if ctx.Err() != nil {
			return t.Tx // the statement is not even sent
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handlerTimeout)
		defer cancel()
		_, err := t.Tx.Exec(ctx, "SAVEPOINT docket_attempt")
		t.begun = err == nil
	}
	return t.Tx
}

// keep makes what the borrower did part of the transaction, and the position of its
// group with it, in one round trip.
func (t *lentTx) keep(ctx context.Context, position *watermillsql.Query) error {
	if !t.begun {
		return nil
	}
	batch := &pgx.Batch{}
	if position != nil {
		batch.Queue(position.Query, position.Args...)
	}
	batch.Queue("RELEASE SAVEPOINT docket_attempt")
	if err := t.Tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record position: %w", err)
	}
	return nil
}

// undo leaves the transaction as it was before the borrower.
func (t *lentTx) undo() {
	if !t.begun {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), handlerTimeout)
	defer cancel()
	_, _ = t.Tx.Exec(ctx, "ROLLBACK TO SAVEPOINT docket_attempt; RELEASE SAVEPOINT docket_attempt")
}

// savepoint is one of the borrower's own, and gives no connection either.
type savepoint struct{ pgx.Tx }

func (s savepoint) Begin(ctx context.Context) (pgx.Tx, error) {
	tx, err := s.Tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return savepoint{tx}, nil
}

func (savepoint) Conn() *pgx.Conn { return nil }
