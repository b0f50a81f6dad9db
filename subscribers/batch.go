package subscribers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	firstRetry = 100 * time.Millisecond
	maxRetry   = 5 * time.Second
	// endTimeout bounds how long the end of a batch may take once its group stops.
	endTimeout = 5 * time.Second
)

// beginBatch sets a statement timeout below the attempt's own deadline, because a statement
// that the client cancels loses the connection and with it the whole batch. Batches are read committed: in a repeatable-read
// transaction, a handler that updates a row which has just been updated fails on
// every retry.
var beginBatch = pgx.TxOptions{BeginQuery: fmt.Sprintf("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = %d",
	(handlerTimeout - handlerTimeout/5).Milliseconds())}

// errBatchOver is the error for an event in a batch that can no longer be committed. It does not
// count against the event.
var errBatchOver = errors.New("the batch is over")

// batch is the transaction that has read some events and in which they are handled.
type batch struct {
	tx        pgx.Tx
	written   *position // of the last event whose handling changed something in tx
	savepoint bool      // the savepoint of this or the next attempt is set
}

// consume passes batches to the group's listener until ctx is done. The pause after a failed batch
// doubles from the first to the longest.
func (g *group) consume(ctx context.Context) {
	retry, whole := firstRetry, true
	for ctx.Err() == nil {
		read, err := g.handleBatch(ctx, whole)
		whole = err == nil // the event that ended the batch is found one by one
		if err != nil {
			if !errors.Is(err, errBatchOver) && ctx.Err() == nil {
				g.log.Warn().Err(err).Dur("wait", retry).Msg("reading events failed")
			}
			wait(ctx, retry)
			retry = min(2*retry, g.router.config.maxRetry)
			continue
		}
		retry = firstRetry
		if read < batchSize { // everything is read; events that arrive in the meantime wait for the next read
			wait(ctx, g.router.config.PollInterval)
		}
	}
}

// handleBatch reads one batch, passes its events on together or one by one, and commits those that
// were handled.
func (g *group) handleBatch(ctx context.Context, whole bool) (read int, err error) {
	tx, err := g.router.pool.BeginTx(ctx, beginBatch)
	if err != nil {
		return 0, fmt.Errorf("begin a batch: %w", err)
	}
	b := &batch{tx: tx}
	events, err := readEvents(ctx, tx, g.Group)
	handled := false
	if err == nil && whole {
		handled, err = g.handleAll(ctx, b, events)
	}
	var last *position
	switch {
	case err != nil:
	case handled:
		last = &events[len(events)-1].at
	default:
		last, err = g.handleEach(ctx, b, events)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return len(events), errors.Join(err, b.end(ctx, g.Group, last))
}

// end commits the batch with the position of the last event that was handled or whose changes are in
// it, since these are committed even if the group stops before the handler has returned. A
// transaction that a listener has ended or left failed is rolled back.
func (b *batch) end(ctx context.Context, group string, handled *position) error {
	if b.tx.Conn().PgConn().TxStatus() != 'T' {
		return b.tx.Rollback(ctx)
	}
	if at := later(b.written, handled); at != nil {
		if _, err := b.tx.Exec(ctx, movePosition, at.transaction, at.offset, group); err != nil {
			return errors.Join(fmt.Errorf("record position: %w", err), b.tx.Rollback(ctx))
		}
	}
	if err := b.tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit a batch: %w", err)
	}
	return nil
}
