package broker

import (
	"context"
	"fmt"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/subscribers"
)

// Group is the consumer group of the forwarder.
const Group = "docket.broker"

// Forwarder publishes every event to the broker, in order. An event is published again, with the
// same id, until the broker confirms that it is stored.
func (p *Publisher) Forwarder() subscribers.Forwarder {
	return subscribers.Forwarder{Group: Group, Forward: p.forward}
}

func (p *Publisher) forward(ctx context.Context, e event.Event) error {
	if !p.Connected() {
		return errUnavailable
	}
	if !p.provisioned.Load() {
		ctx, cancel := context.WithTimeout(ctx, publishTimeout)
		defer cancel()
		if err := p.Provision(ctx); err != nil {
			return err
		}
		p.provisioned.Store(true)
	}
	msg, err := toMessage(e)
	if err != nil {
		return err
	}
	msg.SetContext(ctx)
	if err = p.Publish(e.Name, msg); err != nil {
		p.provisioned.Store(false) // the next attempt creates the stream again if it was deleted
	}
	return err
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
