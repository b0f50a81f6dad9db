package subscribers

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// listenerTx is a batch's transaction as one attempt of a listener sees it. The first
// statement sets the attempt's savepoint, so there is none for a listener that does not use
// the database.
type listenerTx struct {
	postgres.Borrowed
	tx    pgx.Tx
	ctx   context.Context // of the attempt
	begun bool
}

func newListenerTx(ctx context.Context, tx pgx.Tx) *listenerTx {
	t := &listenerTx{tx: tx, ctx: ctx}
	t.Borrowed = postgres.Borrow(tx.Conn(), t.begin)
	return t
}

func (t *listenerTx) LargeObjects() pgx.LargeObjects {
	t.begin(t.ctx)
	return t.tx.LargeObjects()
}

// begin sets the savepoint. If that fails, the transaction has failed or its connection is
// lost, and the listener's statement fails for the same reason. The savepoint has the time of
// an attempt, however short the statement's deadline.
func (t *listenerTx) begin(ctx context.Context) {
	if t.begun || ctx.Err() != nil { // pgx does not send the statement if ctx is done
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handlerTimeout)
	defer cancel()
	_, err := t.tx.Exec(ctx, "SAVEPOINT docket_attempt")
	t.begun = err == nil
}

// keep releases the savepoint and records the group's position with it, in one round
// trip. Without a position it records none.
func (t *listenerTx) keep(ctx context.Context, at *position, group string) error {
	if !t.begun {
		return nil
	}
	batch := &pgx.Batch{}
	if at != nil {
		batch.Queue(publicEvents.moveQuery(), at.transaction, at.offset, group)
	}
	batch.Queue("RELEASE SAVEPOINT docket_attempt")
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record position: %w", err)
	}
	return nil
}

// undo rolls the transaction back to its state before the attempt.
func (t *listenerTx) undo() {
	if !t.begun {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), handlerTimeout)
	defer cancel()
	_, _ = t.tx.Exec(ctx, "ROLLBACK TO SAVEPOINT docket_attempt; RELEASE SAVEPOINT docket_attempt")
}
