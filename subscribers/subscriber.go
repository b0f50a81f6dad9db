package subscribers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
)

// subscriber is a message.Subscriber over watermill-sql's tables that works on pgx, so that a handler gets the pgx
// transaction that read its message. Acknowledgements decide the outcome of a batch: messages up to the first nack are
// committed together with the group's position, and the rest is read again after a pause. The group must have a
// position before Subscribe is called, so that it need not query the database and cannot fail.
type subscriber struct {
	pool  *pgxpool.Pool
	group string
	topic func(name string) topic
	// handleAll handles a batch as a whole and reports whether it did. Otherwise its messages are sent one by one. nil
	// handles none.
	handleAll func(context.Context, *batch, []received) (bool, error)
	poll      time.Duration // between reads of a group that has read everything
	// The pause after a failed batch doubles from the first to the longest.
	firstRetry, maxRetry time.Duration
	log                  zerolog.Logger

	mu      sync.Mutex
	closed  bool
	cancels []context.CancelFunc // of its subscriptions
	running sync.WaitGroup
}

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

var (
	errClosed = errors.New("the subscriber is closed")
	errNacked = errors.New("a message was not acknowledged")
	// errBatchOver is the error for a message in a batch that can no longer be committed. It does not count against the
	// message.
	errBatchOver = errors.New("the batch is over")
)

// Subscribe implements message.Subscriber.
func (s *subscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	s.cancels = append(s.cancels, cancel)
	out := make(chan *message.Message)
	s.running.Go(func() {
		defer close(out)
		defer cancel()
		s.consume(ctx, s.topic(topic), out)
	})
	return out, nil
}

// Close implements message.Subscriber. It waits until every subscription has ended.
func (s *subscriber) Close() error {
	s.mu.Lock()
	s.closed = true
	for _, cancel := range s.cancels {
		cancel()
	}
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

func (s *subscriber) consume(ctx context.Context, t topic, out chan<- *message.Message) {
	retry, whole := s.firstRetry, true
	for ctx.Err() == nil {
		read, err := s.deliver(ctx, t, out, whole)
		whole = err == nil // the message that ended the batch is found one by one
		var pause time.Duration
		switch {
		case err != nil:
			pause, retry = retry, min(2*retry, s.maxRetry)
			if !errors.Is(err, errNacked) && ctx.Err() == nil {
				s.log.Warn().Err(err).Dur("wait", pause).Msg("reading events failed")
			}
		case read < batchSize: // everything is read; messages that arrive in the meantime wait for the next read
			pause, retry = s.poll, s.firstRetry
		default:
			retry = s.firstRetry
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// deliver reads one batch, passes its messages on as a whole or one by one, and commits those that were handled.
func (s *subscriber) deliver(ctx context.Context, t topic, out chan<- *message.Message, whole bool) (read int, err error) {
	tx, err := s.pool.BeginTx(ctx, beginBatch)
	if err != nil {
		return 0, fmt.Errorf("begin a batch: %w", err)
	}
	messages, err := t.read(ctx, tx, s.group)
	b := &batch{tx: tx}
	handled := false
	if err == nil && whole && s.handleAll != nil {
		handled, err = s.handleAll(ctx, b, messages)
	}
	var acked *position
	switch {
	case err != nil:
	case handled:
		acked = &messages[len(messages)-1].at
	default:
		acked, err = b.sendEach(ctx, messages, out)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return len(messages), errors.Join(err, b.end(ctx, t, s.group, acked))
}

// batch is the transaction that has read some messages and in which they are handled.
type batch struct {
	mu sync.Mutex // held while tx is in use, so that it does not end meanwhile
	tx pgx.Tx     // nil once the batch is over

	written *position // of the last message whose handling changed something in tx

	// Only the goroutine that handles the current message uses these.
	savepoint bool // the savepoint of this or the next attempt is set
	last      bool // the current message is the last to be handled
}

// end commits the batch with the position of the last message that was acknowledged or whose changes are in it, since
// these are committed even if the subscription ends before the acknowledgement. A transaction that a listener has ended
// or left failed is rolled back.
func (b *batch) end(ctx context.Context, t topic, group string, acked *position) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	tx := b.tx
	b.tx = nil
	if tx.Conn().PgConn().TxStatus() != 'T' {
		return tx.Rollback(ctx)
	}
	if at := later(b.written, acked); at != nil {
		if _, err := tx.Exec(ctx, t.moveQuery(), at.transaction, at.offset, group); err != nil {
			return errors.Join(fmt.Errorf("record position: %w", err), tx.Rollback(ctx))
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit a batch: %w", err)
	}
	return nil
}

// sendEach sends messages until one is not acknowledged or ends the batch. It returns the position of the last
// acknowledged one.
func (b *batch) sendEach(ctx context.Context, messages []received, out chan<- *message.Message) (acked *position, err error) {
	for _, m := range messages {
		if !b.send(ctx, m, out) {
			return acked, errNacked
		}
		acked = &m.at
		if b.last {
			break
		}
	}
	return acked, nil
}

// send passes a message to the receiver and reports whether it was acknowledged before the
// subscription ended.
func (b *batch) send(ctx context.Context, m received, out chan<- *message.Message) bool {
	ctx, cancel := context.WithCancel(context.WithValue(ctx, deliveryKey{}, &delivery{b, m.at}))
	defer cancel()
	m.msg.SetContext(ctx)
	select {
	case out <- m.msg:
	case <-ctx.Done():
		return false
	}
	select {
	case <-m.msg.Acked():
		return true
	case <-m.msg.Nacked():
		return false
	case <-ctx.Done():
		select {
		case <-m.msg.Acked():
			return true
		default:
			return false
		}
	}
}

// delivery is the value in a message's context.
type delivery struct {
	*batch
	at position
}

type deliveryKey struct{}

// deliveryOf returns the delivery of a message that a subscriber sent.
func deliveryOf(msg *message.Message) *delivery {
	return msg.Context().Value(deliveryKey{}).(*delivery)
}

// use runs do in the batch's transaction, which cannot end meanwhile. It returns errBatchOver
// if the batch is over, or if ctx is done before or after do.
func (b *batch) use(ctx context.Context, do func(tx pgx.Tx) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tx == nil || ctx.Err() != nil {
		return errBatchOver
	}
	err := do(b.tx)
	if ctx.Err() != nil {
		return errBatchOver
	}
	return err
}
