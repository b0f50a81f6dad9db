package subscribers

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"sync"
	"testing"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/postgres/pgtest"
)

// TestConformance holds the wiring of a group (connections, schema, positions,
// backoff) to Watermill's own suite for brokers. The suite names topics of its own
// and sends payloads that are not JSON, so its tables are made for it here.
func TestConformance(t *testing.T) {
	pool := pgtest.New(t)
	db := openDB(pool)
	t.Cleanup(func() { _ = db.Close() })
	tests.TestPubSub(t,
		tests.Features{ConsumerGroups: true, ExactlyOnceDelivery: true, GuaranteedOrder: true, Persistent: true},
		func(t *testing.T) (message.Publisher, message.Subscriber) { return pubSub(t, db, "test") },
		func(t *testing.T, group string) (message.Publisher, message.Subscriber) { return pubSub(t, db, group) },
	)
}

func pubSub(t *testing.T, db *stdsql.DB, group string) (message.Publisher, message.Subscriber) {
	t.Helper()
	s := schema{watermillsql.DefaultPostgreSQLSchema{
		GenerateMessagesTableName: func(topic string) string { return fmt.Sprintf(`"suite_%s"`, topic) },
		GeneratePayloadType:       func(string) string { return "bytea" },
	}}
	o := offsets{schema: s}
	o.GenerateMessagesOffsetsTableName = func(topic string) string { return fmt.Sprintf(`"suite_offsets_%s"`, topic) }
	publisher, err := watermillsql.NewPublisher(db, watermillsql.PublisherConfig{SchemaAdapter: s}, nil)
	require.NoError(t, err)
	subscriber, err := watermillsql.NewSubscriber(db, watermillsql.SubscriberConfig{
		ConsumerGroup: group, SchemaAdapter: s, OffsetsAdapter: o, ResendInterval: 5 * time.Millisecond,
		BackoffManager: &backoff{poll: time.Millisecond, log: zerolog.Nop()},
	}, nil)
	require.NoError(t, err)
	return publisher, prepared{subscriber}
}

// prepared makes a topic's tables before it subscribes, one at a time, which is
// what the migrations do for Docket's own topic.
type prepared struct{ *watermillsql.Subscriber }

var preparing sync.Mutex

func (p prepared) SubscribeInitialize(topic string) error {
	preparing.Lock()
	defer preparing.Unlock()
	return p.Subscriber.SubscribeInitialize(topic)
}

func (p prepared) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	if err := p.SubscribeInitialize(topic); err != nil {
		return nil, err
	}
	return p.Subscriber.Subscribe(ctx, topic)
}
