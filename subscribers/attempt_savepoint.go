package subscribers

import (
	"context"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// listenerTx is a batch's transaction as one attempt of a listener sees it. The attempt works
// within a savepoint, which its first statement sets, so that a listener that does not use the
// database has none.
type listenerTx struct {
	postgres.Borrowed
	tx    pgx.Tx
	ctx   context.Context // of the attempt
	batch *batch
	group string
	begun bool
}

func newListenerTx(ctx context.Context, tx pgx.Tx, b *batch, group string) *listenerTx {
	t := &listenerTx{tx: tx, ctx: ctx, batch: b, group: group}
	t.Borrowed = postgres.Borrow(tx.Conn(), t.begin)
	return t
}

func (t *listenerTx) LargeObjects() pgx.LargeObjects {
	t.begin(t.ctx, "")
	return t.tx.LargeObjects()
}

// begin sets the savepoint unless an earlier attempt has left it. If that fails, the transaction
// has failed or its connection is lost, and the listener's statement fails for the same reason. The
// savepoint has the deadline of the attempt, even if the statement has a shorter one. Before a
// statement that may end the transaction, begin moves the group's position to the last event whose
// effects that would commit.
func (t *listenerTx) begin(ctx context.Context, sql string) {
	if ctx.Err() != nil { // pgx does not send the statement if ctx is done
		return
	}
	if at := t.batch.written; at != nil && !staysWithin.MatchString(sql) {
		_, _ = t.tx.Exec(ctx, publicEvents.moveQuery(), at.transaction, at.offset, t.group) // if it fails, so has the transaction
	}
	if t.begun {
		return
	}
	if !t.batch.savepoint {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handlerTimeout)
		defer cancel()
		_, err := t.tx.Exec(ctx, "SAVEPOINT docket_attempt")
		t.batch.savepoint = err == nil
	}
	t.begun = t.batch.savepoint
}

// staysWithin matches SQL that cannot end a transaction: a single statement of a kind that reads or
// writes rows, or none.
var staysWithin = regexp.MustCompile(`(?i)^(\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b[^;]*)?$`)

// release ends a successful attempt: in one round trip it releases the savepoint and sets one for
// the next attempt. It fails if the listener has ended the transaction and begun another. at is the
// position of the event, or nil for a replay.
func (t *listenerTx) release(ctx context.Context, at *position) error {
	if !t.begun {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue("RELEASE SAVEPOINT docket_attempt")
	b.Queue("SAVEPOINT docket_attempt")
	if err := t.tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("release an attempt: %w", err)
	}
	t.batch.written = at
	return nil
}

// undo rolls the transaction back to its state before the attempt and leaves the savepoint to
// the next one.
func (t *listenerTx) undo() {
	if !t.begun {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), handlerTimeout)
	defer cancel()
	_, _ = t.tx.Exec(ctx, "ROLLBACK TO SAVEPOINT docket_attempt")
}
