package subscribers

import (
	"database/sql"
	"encoding/json"
	"fmt"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
)

// schema reads a topic as watermill-sql does, with a query that an index answers.
type schema struct {
	watermillsql.DefaultPostgreSQLSchema
}

// Where a message stands in the topic; a message's metadata carries both while it
// is with its group, and no longer.
const (
	metaOffset      = "docket_offset"
	metaTransaction = "docket_transaction_id"
)

// SelectQuery reads the next messages of a group. Three things differ from the
// library's own: the row comparison goes straight to the position on the primary
// key, where the library's condition scans the whole backlog for each batch; the
// group's row is locked only when there is something to read, so an idle poll
// writes nothing and takes no transaction id; and a server that finds the group
// busy elsewhere skips it rather than hold a connection waiting.
func (s schema) SelectQuery(topic, group string, offsets watermillsql.OffsetsAdapter) watermillsql.Query {
	next := offsets.NextOffsetQuery(topic, group)
	return watermillsql.Query{
		Args: next.Args,
		Query: `
WITH position AS MATERIALIZED (` + next.Query + `)
SELECT "offset", transaction_id, uuid, payload, metadata FROM ` + s.MessagesTable(topic) + `
WHERE (transaction_id, "offset") > ((SELECT last_processed_transaction_id FROM position), (SELECT offset_acked FROM position))
  AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY transaction_id, "offset"
LIMIT ` + fmt.Sprint(s.batch()),
	}
}

func (s schema) batch() int {
	if s.SubscribeBatchSize > 0 {
		return s.SubscribeBatchSize
	}
	return 100
}

// UnmarshalMessage notes the message's place beside it.
func (s schema) UnmarshalMessage(row watermillsql.Scanner) (watermillsql.Row, error) {
	r := watermillsql.Row{}
	var transaction int64
	if err := row.Scan(&r.Offset, &transaction, &r.UUID, &r.Payload, &r.Metadata); err != nil {
		return r, fmt.Errorf("read message: %w", err)
	}
	r.Msg = message.NewMessage(string(r.UUID), r.Payload)
	if r.Metadata != nil {
		if err := json.Unmarshal(r.Metadata, &r.Msg.Metadata); err != nil {
			return r, fmt.Errorf("metadata of message %s: %w", r.UUID, err)
		}
	}
	r.Msg.Metadata.Set(metaOffset, fmt.Sprint(r.Offset))
	r.Msg.Metadata.Set(metaTransaction, fmt.Sprint(transaction))
	r.ExtraData = map[string]any{"transaction_id": transaction}
	return r, nil
}

// SubscribeIsolationLevel is read committed: the one statement that reads a batch
// sees one snapshot anyway, and in a repeatable-read transaction a handler that
// updates a row which somebody else has just updated fails on every retry.
func (schema) SubscribeIsolationLevel() sql.IsolationLevel { return sql.LevelReadCommitted }

// offsets keeps the positions of groups.
type offsets struct {
	watermillsql.DefaultPostgreSQLOffsetsAdapter
	schema schema
}

// NextOffsetQuery locks and gives the group's position if it has unread messages
// and no other server is at them. The inner limit keeps the planner from turning
// the probe into a join.
func (o offsets) NextOffsetQuery(topic, group string) watermillsql.Query {
	return watermillsql.Query{
		Args: []any{group},
		Query: `
	SELECT offset_acked, last_processed_transaction_id
	FROM ` + o.MessagesOffsetsTable(topic) + ` o
	WHERE consumer_group = $1 AND (
		SELECT true FROM ` + o.schema.MessagesTable(topic) + ` m
		WHERE (m.transaction_id, m."offset") > (o.last_processed_transaction_id, o.offset_acked)
		  AND m.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
		ORDER BY m.transaction_id, m."offset" LIMIT 1)
	FOR UPDATE OF o SKIP LOCKED`,
	}
}

// AckMessageQuery moves the group's position forward, never back: handlers record
// their own message in the attempt that handled it, which may be beyond what the
// library has counted when it stops in the middle of a batch.
func (o offsets) AckMessageQuery(topic string, row watermillsql.Row, group string) watermillsql.Query {
	return o.ack(topic, row.ExtraData["transaction_id"], row.Offset, group)
}

func (o offsets) ack(topic string, transaction, offset any, group string) watermillsql.Query {
	return watermillsql.Query{
		Args: []any{fmt.Sprint(transaction), offset, group},
		Query: `UPDATE ` + o.MessagesOffsetsTable(topic) + `
	SET last_processed_transaction_id = $1::text::xid8, offset_acked = $2
	WHERE consumer_group = $3 AND (last_processed_transaction_id, offset_acked) < ($1::text::xid8, $2)`,
	}
}

// enrolled are the offsets of a group that has its position: to subscribe asks the
// database nothing, and so cannot fail.
type enrolled struct{ offsets }

// BeforeSubscribingQueries are none.
func (enrolled) BeforeSubscribingQueries(string, string) []watermillsql.Query { return nil }
