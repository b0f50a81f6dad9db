package subscribers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
)

// handlerTimeout is how long one attempt of a listener may take.
const handlerTimeout = 10 * time.Second

// ErrLater is what a listener returns when the world outside is not ready: the event
// stays where it is, attempts are not counted, and no transaction waits meanwhile.
// Events behind it wait too.
var ErrLater = errors.New("not ready; later")

// isFailure reports whether err counts against the message. The end of its batch and
// ErrLater do not.
func isFailure(err error) bool {
	return err != nil && !errors.Is(err, errBatchOver) && !errors.Is(err, ErrLater)
}

// group hands messages to one listener.
type group struct {
	event.Listener
	metrics *metrics
	log     zerolog.Logger
	now     func() time.Time
	suspect suspect
}

// settle is the outermost middleware. Retries are over when a message comes back to it:
// a failure makes the message a dead letter, and anything else that is not success
// leaves it unacknowledged, to be read again.
func (g *group) settle(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		cause := g.suspect.verdict(msg.UUID, g.Group)
		if cause == nil {
			_, cause = next(msg)
		}
		if isFailure(cause) {
			cause = g.setAside(msg, cause)
		}
		if isFailure(cause) {
			return nil, cause
		}
		if cause != nil {
			msg.Nack() // what Watermill does with an error, without the line in its log
		}
		return nil, nil
	}
}

// deliver handles a message in the transaction that read it.
func (g *group) deliver(msg *message.Message) error {
	e := fromMessage(msg)
	if !g.Hears(e.Name) {
		return nil
	}
	d := deliveryOf(msg)
	err := d.use(msg.Context(), func(tx pgx.Tx) error {
		return g.attempt(msg.Context(), tx, d.handle(g), e, &d.at)
	})
	switch {
	case err == nil:
		g.suspect.clear(e.ID)
	case errors.Is(err, errEnded), errors.Is(err, errLost):
		g.log.Warn().Err(err).Str("event_id", e.ID).Msg("a batch ends with this event")
		g.suspect.blame(e.ID, err)
	}
	return err
}

// handle returns the listener's handler for this batch, which it prepares with the first
// event.
func (b *batch) handle(g *group) event.Handler {
	if g.Prepare == nil {
		return g.Handle
	}
	return func(ctx context.Context, tx pgx.Tx, e event.Event) (err error) {
		if b.prepared == nil {
			if b.prepared, err = g.Prepare(ctx, tx); err != nil {
				return err
			}
		}
		return b.prepared(ctx, tx, e)
	}
}

// attempt runs the handler once, within a savepoint: a failure undoes the attempt and
// leaves the transaction fit for the next. The group's position, if one is given, moves
// in the same savepoint, so that the effects and the memory of them are one. A handler
// that does nothing in the database has no savepoint, and its position moves with the
// batch. It returns errEnded or errLost if there is no transaction left.
func (g *group) attempt(ctx context.Context, tx pgx.Tx, handle event.Handler, e event.Event, at *position) error {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
	defer cancel()
	own := newListenerTx(ctx, tx)
	err := call(ctx, own, handle, e)
	if err == nil {
		err = own.keep(ctx, at, g.Group)
	}
	if err != nil {
		own.undo()
	}
	g.metrics.handled(g.Group, start, err)
	switch conn := tx.Conn().PgConn(); {
	case conn.IsClosed():
		return errLost
	case conn.TxStatus() != 'T':
		return errEnded
	}
	return err
}

// call runs the handler. A panic is an error, and so is success that comes too late.
func call(ctx context.Context, tx pgx.Tx, handle event.Handler, e event.Event) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	if err := handle(ctx, tx, e); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("took longer than %s: %w", handlerTimeout, err)
	}
	return nil
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
