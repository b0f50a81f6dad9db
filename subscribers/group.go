package subscribers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
)

// handlerTimeout is how long one attempt of a listener may take.
const handlerTimeout = 10 * time.Second

var (
	// errAbandoned ends a delivery whose transaction is over: nothing that comes of
	// the rest of its batch can be committed, so the batch is run through and read anew.
	errAbandoned = errors.New("the message's transaction is over")
	// ErrLater is what a listener answers when the world outside is not ready: the
	// event stays where it is, without a count of attempts and without a transaction
	// that waits. Events behind it wait too.
	ErrLater = errors.New("not ready; later")
)

// handlerError is a failure of a listener itself, which retries and then poisons.
type handlerError struct{ cause error }

func (e *handlerError) Error() string { return e.cause.Error() }
func (e *handlerError) Unwrap() error { return e.cause }

// group delivers the topic's messages to one listener.
type group struct {
	event.Listener
	topic   string
	offsets offsets
	metrics *metrics
	log     zerolog.Logger

	mu     sync.Mutex
	dying  string // the message that last cost its transaction
	deaths int    // how often in a row, by the loss of the connection
	ended  bool   // or once, by its listener

	// batch is the transaction of the batch at hand, prepared its handler, and passed
	// the last of its messages that was handled or is not heard.
	batch    *sql.Tx
	prepared event.Handler
	passed   *message.Message
}

// deliver handles one message in the transaction that read it.
func (g *group) deliver(msg *message.Message) error {
	batch, ok := watermillsql.TxFromContext(msg.Context())
	if !ok {
		return errors.New("the message came without a transaction")
	}
	g.enter(batch)
	if !g.Hears(msg.Metadata.Get(outbox.MetaName)) {
		g.pass(batch, msg)
		return nil
	}
	if err := g.condemned(msg.UUID); err != nil {
		return err
	}
	err := g.inside(msg.Context(), batch, msg.UUID, func(tx pgx.Tx) error {
		err := g.attempt(msg.Context(), tx, g.handle(batch), fromMessage(msg), g.position(msg))
		if err == nil || errors.Is(err, ErrLater) {
			return err
		}
		return &handlerError{err}
	})
	switch {
	case err == nil:
		g.survived(msg.UUID)
		g.pass(batch, msg)
	case errors.Is(err, ErrLater):
		if err := g.endBefore(msg.Context(), batch); err != nil {
			g.log.Debug().Err(err).Msg("batch given up")
		}
		return errAbandoned
	case errors.Is(err, errEnded):
		// What earlier messages did may be gone with the transaction, so they are
		// read anew; this one is then set aside.
		g.log.Error().Err(err).Str("event_id", msg.UUID).Msg("batch given up")
		g.end(msg.UUID)
		_ = batch.Rollback()
		return errAbandoned
	}
	return err
}

// inside runs do on the message's transaction, or gives errAbandoned if that is over
// before or after.
func (g *group) inside(ctx context.Context, tx *sql.Tx, id string, do func(pgx.Tx) error) error {
	ran, dead := false, false
	_, err := tx.ExecContext(ctx, "", work(func(tx pgx.Tx) error {
		if dead = tx.Conn().IsClosed(); dead {
			return errAbandoned
		}
		ran = true
		err := do(tx)
		if dead = tx.Conn().IsClosed(); dead {
			g.log.Warn().Err(err).Str("event_id", id).Msg("connection lost while handling an event")
			g.died(id)
		}
		return err
	}))
	if dead || !ran && err != nil || ctx.Err() != nil {
		return errAbandoned
	}
	return err
}

// attempt is one try of the handler, within a savepoint: a failure undoes the
// attempt and leaves the transaction fit for the next. The group's position moves in
// the same savepoint, so that the effects and the memory of them are one; a handler
// that did nothing in the database leaves it to the batch.
func (g *group) attempt(ctx context.Context, tx pgx.Tx, handle event.Handler, e event.Event, position *watermillsql.Query) (err error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
	defer cancel()
	lent := &lentTx{Tx: tx, ctx: ctx}
	if !lent.whole() { // an attempt that panicked has ended it, or one that began another
		return g.errEnded()
	}
	done := false
	defer func() {
		if !done { // a panic passes through here too
			lent.undo()
		}
		g.metrics.handled(g.Group, start, done, errors.Is(err, ErrLater))
	}()
	err = handle(ctx, lent, e)
	if lent.ended() {
		return g.errEnded()
	}
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("took longer than %s: %w", handlerTimeout, err)
	}
	if err := lent.keep(ctx, position); err != nil {
		return err
	}
	done = true
	return nil
}

// position is the statement that records msg as read.
func (g *group) position(msg *message.Message) *watermillsql.Query {
	offset, err := strconv.ParseInt(msg.Metadata.Get(metaOffset), 10, 64)
	if err != nil {
		return nil // a message that is not from the topic's table
	}
	q := g.offsets.ack(g.topic, msg.Metadata.Get(metaTransaction), offset, g.Group)
	return &q
}

// fromMessage reads what outbox.Queue wrote. A member that does not parse is left
// empty: the payload is what the listener judges by.
func fromMessage(msg *message.Message) event.Event {
	sequence, _ := strconv.ParseInt(msg.Metadata.Get(outbox.MetaSequence), 10, 64)
	at, _ := time.Parse(time.RFC3339Nano, msg.Metadata.Get(outbox.MetaOccurredAt))
	return event.Event{
		ID: msg.UUID, Name: msg.Metadata.Get(outbox.MetaName),
		ReportID: msg.Metadata.Get(outbox.MetaReportID), Sequence: sequence,
		PluginID: msg.Metadata.Get(outbox.MetaPluginID), ActorID: msg.Metadata.Get(outbox.MetaActorID),
		OccurredAt: at, Payload: []byte(msg.Payload),
	}
}
