package broker

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/subscribers"
)

// Group is the consumer group that forwards.
const Group = "docket.broker"

// Forward returns the listener that publishes every event to the broker, in order. An
// event is published again, with the same id, until the broker confirms that it is
// stored.
func (p *Publisher) Forward(log zerolog.Logger) event.Listener {
	f := &forwarder{publisher: p, log: log}
	return event.Listener{Group: Group, Handle: f.handle}
}

type forwarder struct {
	publisher   *Publisher
	log         zerolog.Logger
	provisioned atomic.Bool
}

func (f *forwarder) handle(ctx context.Context, _ pgx.Tx, e event.Event) error {
	err := f.forward(ctx, e)
	if err == nil {
		return nil
	}
	// The next attempt makes the stream again if it was deleted.
	f.provisioned.Store(false)
	if f.publisher.Connected() {
		f.log.Warn().Err(err).Str("event_id", e.ID).Msg("forwarding waits")
	}
	return fmt.Errorf("%w: %w", subscribers.ErrLater, err)
}

func (f *forwarder) forward(ctx context.Context, e event.Event) error {
	if !f.publisher.Connected() {
		return errUnavailable
	}
	if !f.provisioned.Load() {
		ctx, cancel := context.WithTimeout(ctx, publishTimeout)
		defer cancel()
		if err := f.publisher.Provision(ctx); err != nil {
			return err
		}
		f.provisioned.Store(true)
	}
	msg, err := toMessage(e)
	if err != nil {
		return err
	}
	msg.SetContext(ctx)
	return f.publisher.Publish(e.Name, msg)
}

func toMessage(e event.Event) (*message.Message, error) {
	id, err := uuid.Parse(e.ID)
	if err != nil {
		return nil, fmt.Errorf("event id %q: %w", e.ID, err)
	}
	msg := message.NewMessage(e.ID, message.Payload(e.Payload))
	msg.Metadata = outbox.Message{
		ID: id, Name: e.Name, ReportID: e.ReportID, Sequence: e.Sequence, PluginID: e.PluginID, ActorID: e.ActorID, OccurredAt: e.OccurredAt,
	}.Metadata()
	return msg, nil
}
