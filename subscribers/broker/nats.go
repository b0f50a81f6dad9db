// Package broker forwards public events to NATS JetStream. There is one stream; the subject is the event's name, and
// the message id is the event's id. A consumer group forwards the events: while the broker is down they wait in
// PostgreSQL, no event is lost, and no command waits for the broker. Other modules must not import it.
package broker

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	wmnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"
)

// Stream is the name of the stream that holds every event.
const Stream = "docket_events"

// Subjects cover the names of all public events.
var Subjects = []string{"moderation.>", "content.>"}

// The bounds for calls of the broker.
const (
	publishTimeout = 3 * time.Second
	// deduplicate is how long JetStream drops repeats of an id. Receivers recognize a
	// later repeat by the same id.
	deduplicate = time.Hour
	keep        = 30 * 24 * time.Hour
)

// errUnavailable is an error that ends when the broker responds again.
var errUnavailable = errors.New("the broker does not answer")

// Publisher publishes to JetStream and waits until the broker has stored each message. It is
// safe for concurrent use.
type Publisher struct {
	conn        *nats.Conn
	js          jetstream.JetStream
	replicas    int
	provisioned atomic.Bool // the stream was there when it was last used
}

// Connect returns a publisher whose stream is created with the given number of replicas. If the
// broker does not respond, the publisher retries until Close. Errors and log lines do not contain
// the URL, since it may contain a password.
func Connect(url string, replicas int, log zerolog.Logger) (*Publisher, error) {
	conn, err := nats.Connect(url,
		nats.Name("docket"),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.IgnoreAuthErrorAbort(), // else it gives up for ever once it was refused twice
		nats.ReconnectWait(500*time.Millisecond),
		nats.ReconnectBufSize(-1), // no buffer: events wait in PostgreSQL
		nats.Timeout(publishTimeout),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { log.Warn().Msg("broker disconnected") }),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info().Msg("broker reconnected") }),
	)
	if err != nil {
		return nil, errors.New("DOCKET_BROKER_URL: not an address of a NATS server, or its credentials cannot be read")
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("use JetStream: %w", err)
	}
	return &Publisher{conn: conn, js: js, replicas: replicas}, nil
}

// Connected reports whether the broker is connected now.
func (p *Publisher) Connected() bool { return p.conn.IsConnected() }

// Provision creates the stream if there is none. An existing stream keeps its settings.
func (p *Publisher) Provision(ctx context.Context) error {
	_, err := p.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: Stream, Subjects: Subjects, Storage: jetstream.FileStorage, Replicas: p.replicas, Duplicates: deduplicate, MaxAge: keep,
		Description: "Public events of Docket",
	})
	if err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return fmt.Errorf("make stream %s: %w", Stream, err)
	}
	return nil
}

// Publish implements message.Publisher; the topic is the subject.
func (p *Publisher) Publish(topic string, messages ...*message.Message) error {
	for _, msg := range messages {
		out, err := (&wmnats.NATSMarshaler{}).Marshal(topic, msg)
		if err != nil {
			return fmt.Errorf("event %s: %w", msg.UUID, err)
		}
		ctx, cancel := context.WithTimeout(msg.Context(), publishTimeout)
		_, err = p.js.PublishMsg(ctx, out, jetstream.WithMsgID(msg.UUID), jetstream.WithRetryAttempts(0))
		cancel()
		if err != nil {
			return fmt.Errorf("%w: publish %s: %w", errUnavailable, msg.UUID, err)
		}
	}
	return nil
}

// Close implements message.Publisher.
func (p *Publisher) Close() error {
	p.conn.Close()
	return nil
}

var _ message.Publisher = (*Publisher)(nil)
