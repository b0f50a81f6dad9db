package subscribers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/event"
)

// handlerTimeout is how long one attempt of a listener may take.
const handlerTimeout = 10 * time.Second

// isFailure reports whether err counts against the message. The end of its batch does not.
func isFailure(err error) bool {
	return err != nil && !errors.Is(err, errBatchOver)
}

// group passes events to one listener.
type group struct {
	event.Listener
	router *Router
	log    zerolog.Logger
	broken brokenBatches
}

// handleAll passes a batch to a listener with a HandleAll. It returns false if the events must be
// handled one by one: for another listener, and after a failure, so that only the event that fails
// by itself counts as failed. An error means that the batch is over.
func (g *group) handleAll(ctx context.Context, b *batch, all []received) (handled bool, err error) {
	if g.HandleAll == nil || len(all) < 2 {
		return false, nil
	}
	var events []event.Event
	for _, r := range all {
		if g.Receives(r.Name) {
			events = append(events, r.Event)
		}
	}
	if events == nil {
		return true, nil
	}
	err = unlessDone(ctx, func() error { return g.attempt(ctx, b, events, &all[len(all)-1].at) })
	if isFailure(err) {
		g.log.Warn().Err(err).Int("events", len(events)).Msg("events failed together; each is handled alone")
		return false, nil
	}
	return err == nil, err
}

// handleEach handles events one by one, and returns the position of the last handled one. An event
// that fails becomes a dead letter and ends the batch, so that a later event which loses the
// transaction does not undo that. After any other error the event is read again.
func (g *group) handleEach(ctx context.Context, b *batch, all []received) (last *position, err error) {
	for _, r := range all {
		cause := g.broken.fault(r.ID, g.Group)
		if cause == nil {
			cause = g.retry(ctx, func() error { return g.deliver(ctx, b, r) })
		}
		if isFailure(cause) {
			if err := unlessDone(ctx, func() error { return g.setAside(ctx, b.tx, r, cause) }); err != nil {
				return last, err
			}
			return &r.at, nil
		}
		if cause != nil {
			return last, cause
		}
		last = &r.at
	}
	return last, nil
}

// retry retries an event with exponential backoff.
func (g *group) retry(ctx context.Context, handle func() error) error {
	err, pause := handle(), g.router.config.RetryInterval
	for range g.router.config.Retries {
		if !isFailure(err) {
			break
		}
		wait(ctx, pause)
		err, pause = handle(), 3*pause
	}
	return err
}

// deliver handles an event in the transaction that read it.
func (g *group) deliver(ctx context.Context, b *batch, r received) error {
	if !g.Receives(r.Name) {
		return nil
	}
	err := unlessDone(ctx, func() error { return g.attempt(ctx, b, []event.Event{r.Event}, &r.at) })
	switch {
	case err == nil:
		g.broken.forget(r.ID)
	case errors.Is(err, errEnded), errors.Is(err, errLost):
		g.log.Warn().Err(err).Str("event_id", r.ID).Msg("a batch ends with this event")
		g.broken.record(r.ID, err)
	}
	return err
}

// unlessDone returns errBatchOver if ctx is done before or after do, since what do did may then not be
// committed.
func unlessDone(ctx context.Context, do func() error) error {
	if ctx.Err() != nil {
		return errBatchOver
	}
	err := do()
	if ctx.Err() != nil {
		return errBatchOver
	}
	return err
}

// attempt runs the handler once, within a savepoint: a failure undoes the attempt and leaves the
// transaction usable for the next one. A handler that does not use the database gets no savepoint.
// Only a HandleAll gets several events. at is the position of the last one, or nil for a replay.
// attempt returns errEnded or errLost if there is no transaction any more.
func (g *group) attempt(ctx context.Context, b *batch, events []event.Event, at *position) error {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
	defer cancel()
	// The transaction of a listener that ignores its context would delay the readers of the whole
	// cluster.
	cut := time.AfterFunc(handlerTimeout+endTimeout, func() {
		g.log.Error().Str("event_id", events[0].ID).Msg("a listener ignores that its time is over: its connection is cut, and its group waits for it")
		_ = b.tx.Conn().PgConn().Conn().Close()
	})
	defer cut.Stop()
	own := newListenerTx(ctx, b, g.Group)
	err := g.call(ctx, own, events)
	if err == nil {
		err = own.release(ctx, at)
	}
	if err != nil {
		own.undo()
	}
	g.router.metrics.handled(g.Group, start, len(events), err)
	switch conn := b.tx.Conn().PgConn(); {
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
