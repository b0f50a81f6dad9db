package subscribers

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestConformance holds the subscriber to Watermill's own suite for brokers, with
// watermill-sql's publisher on the other side. The suite names topics of its own and
// sends payloads that are not JSON, so its tables are made for it here.
func TestConformance(t *testing.T) {
	pool := pgtest.New(t)
	tests.TestPubSub(t,
		tests.Features{ConsumerGroups: true, ExactlyOnceDelivery: true, GuaranteedOrder: true, Persistent: true},
		func(t *testing.T) (message.Publisher, message.Subscriber) { return pubSub(t, pool, "test") },
		func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
			return pubSub(t, pool, group)
		},
	)
}

var (
	suiteSchema = watermillsql.DefaultPostgreSQLSchema{
		GenerateMessagesTableName: func(topic string) string { return fmt.Sprintf(`"suite_%s"`, topic) },
		GeneratePayloadType:       func(string) string { return "bytea" },
	}
	suiteOffsets = watermillsql.DefaultPostgreSQLOffsetsAdapter{
		GenerateMessagesOffsetsTableName: func(topic string) string { return fmt.Sprintf(`"suite_offsets_%s"`, topic) },
	}
)

func suiteTopic(name string) topic {
	return topic{messages: suiteSchema.MessagesTable(name), positions: suiteOffsets.MessagesOffsetsTable(name)}
}

func pubSub(t *testing.T, pool *pgxpool.Pool, group string) (message.Publisher, message.Subscriber) {
	t.Helper()
	publisher, err := watermillsql.NewPublisher(stdlib.OpenDBFromPool(pool), watermillsql.PublisherConfig{SchemaAdapter: suiteSchema}, nil)
	require.NoError(t, err)
	return publisher, enrolling{&subscriber{
		pool: pool, group: group, topic: suiteTopic, poll: time.Millisecond,
		firstRetry: time.Millisecond, maxRetry: 5 * time.Millisecond, log: zerolog.Nop(),
	}}
}

// enrolling makes a topic's tables and the group's position before it subscribes, one
// at a time, which is what the migrations and the Router do for Docket's own topic.
type enrolling struct{ *subscriber }

var initializing sync.Mutex

func (e enrolling) SubscribeInitialize(name string) error {
	initializing.Lock()
	defer initializing.Unlock()
	queries := append(suiteSchema.SchemaInitializingQueries(name), suiteOffsets.SchemaInitializingQueries(name)...)
	for _, q := range queries {
		if _, err := e.pool.Exec(context.Background(), q.Query); err != nil {
			return err
		}
	}
	_, err := e.pool.Exec(context.Background(), suiteTopic(name).enrollQuery(), e.group)
	return err
}

func (e enrolling) Subscribe(ctx context.Context, name string) (<-chan *message.Message, error) {
	if err := e.SubscribeInitialize(name); err != nil {
		return nil, err
	}
	return e.subscriber.Subscribe(ctx, name)
}
