package broker

import (
	"context"
	"fmt"

	wmnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/nats-io/nats.go/jetstream"

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
	if !p.provisioned {
		if err := p.provision(ctx); err != nil {
			return err
		}
	}
	err := p.publish(ctx, e)
	p.provisioned = err == nil // else the next attempt creates the stream again if it was deleted
	return err
}

// publish publishes an event as Watermill does, and waits until the broker has stored it.
func (p *Publisher) publish(ctx context.Context, e event.Event) error {
	msg := message.NewMessage(e.ID, message.Payload(e.Payload))
	msg.Metadata = outbox.Message{
		Name: e.Name, ReportID: e.ReportID, Sequence: e.Sequence, PluginID: e.PluginID, ActorID: e.ActorID, OccurredAt: e.OccurredAt,
	}.Metadata()
	out, err := (&wmnats.NATSMarshaler{}).Marshal(e.Name, msg)
	if err != nil {
		return fmt.Errorf("event %s: %w", e.ID, err)
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	if _, err := p.js.PublishMsg(ctx, out, jetstream.WithMsgID(e.ID), jetstream.WithRetryAttempts(0)); err != nil {
		return fmt.Errorf("%w: publish %s: %w", errUnavailable, e.ID, err)
	}
	return nil
}
