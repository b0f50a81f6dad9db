package subscribers

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
)

// handlerTimeout is how long one attempt of a listener may take.
const handlerTimeout = 10 * time.Second

// isFailure reports whether err counts against the message. The end of its batch does not.
func isFailure(err error) bool {
	return err != nil && !errors.Is(err, errBatchOver)
}

// group passes messages to one listener.
type group struct {
	event.Listener
	metrics *metrics
	log     zerolog.Logger
	now     func() time.Time
	broken  brokenBatches
}

// acknowledge is the outermost middleware, so it runs after the last retry. A message that failed becomes a dead
// letter. If its batch is over, or the dead letter cannot be stored, the message stays unacknowledged and is read
// again.
func (g *group) acknowledge(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		cause := g.broken.fault(msg.UUID, g.Group)
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
			msg.Nack() // as Watermill does after an error, but without a log line
		}
		return nil, nil
	}
}

// handleAll passes a batch to a listener with a HandleAll. It returns false if the messages must be
// handled one by one: for another listener, and after a failure, so that only the event that fails
// by itself counts as failed. An error means that the batch is over.
func (g *group) handleAll(ctx context.Context, b *batch, messages []received) (handled bool, err error) {
	if g.HandleAll == nil || len(messages) < 2 {
		return false, nil
	}
	var events []event.Event
	for _, m := range messages {
		if e := fromMessage(m.msg); g.Receives(e.Name) {
			events = append(events, e)
		}
	}
	if events == nil {
		return true, nil
	}
	err = b.use(ctx, func(tx pgx.Tx) error {
		return g.attempt(ctx, tx, b, events, &messages[len(messages)-1].at)
	})
	if err != nil && !errors.Is(err, errBatchOver) {
		g.log.Warn().Err(err).Int("events", len(events)).Msg("events failed together; each is handled alone")
		return false, nil
	}
	return err == nil, err
}

// deliver handles a message in the transaction that read it.
func (g *group) deliver(msg *message.Message) error {
	e := fromMessage(msg)
	if !g.Receives(e.Name) {
		return nil
	}
	d := deliveryOf(msg)
	err := d.use(msg.Context(), func(tx pgx.Tx) error {
		return g.attempt(msg.Context(), tx, d.batch, []event.Event{e}, &d.at)
	})
	switch {
	case err == nil:
		g.broken.forget(e.ID)
	case errors.Is(err, errEnded), errors.Is(err, errLost):
		g.log.Warn().Err(err).Str("event_id", e.ID).Msg("a batch ends with this event")
		g.broken.record(e.ID, err)
	}
	return err
}

// attempt runs the handler once, within a savepoint: a failure undoes the attempt and leaves the
// transaction usable for the next one. A handler that does not use the database gets no savepoint.
// Only a HandleAll gets several events. at is the position of the last one, or nil for a replay.
// attempt returns errEnded or errLost if there is no transaction any more.
func (g *group) attempt(ctx context.Context, tx pgx.Tx, b *batch, events []event.Event, at *position) error {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
	defer cancel()
	// The transaction of a listener that ignores its context would delay the readers of the whole
	// cluster.
	cut := time.AfterFunc(handlerTimeout+endTimeout, func() {
		g.log.Error().Str("event_id", events[0].ID).Msg("a listener ignores that its time is over: its connection is cut, and its group waits for it")
		_ = tx.Conn().PgConn().Conn().Close()
	})
	defer cut.Stop()
	own := newListenerTx(ctx, tx, b, g.Group)
	err := g.call(ctx, own, events)
	if err == nil {
		err = own.release(ctx, at)
	}
	if err != nil {
		own.undo()
	}
	g.metrics.handled(g.Group, start, len(events), err)
	switch conn := tx.Conn().PgConn(); {
	case conn.IsClosed():
		return errLost
	case conn.TxStatus() != 'T':
		return errEnded
	}
	return err
}

// call runs the handler. It returns an error for a panic and for a late return.
func (g *group) call(ctx context.Context, tx pgx.Tx, events []event.Event) error {
	err := call.Safely("listener", g.Group, func() error {
		if g.HandleAll != nil {
			return g.HandleAll(ctx, tx, events)
		}
		return g.Handle(ctx, tx, events[0])
	})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("took longer than %s: %w", handlerTimeout, err)
	}
	return nil
}

// fromMessage parses what outbox.Queue wrote. A member that does not parse stays empty, since
// listeners rely on the payload.
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
