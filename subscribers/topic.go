package subscribers

import (
	"cmp"
	"context"
	"fmt"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
)

// batchSize is how many messages a group reads at once. Each is handled in a savepoint, and
// PostgreSQL stores at most 64 of a transaction in shared memory: beyond that, every backend has to
// read pg_subtrans to see whether a row is visible.
const batchSize = 50

// topic names the two tables of a Watermill topic, quoted for SQL. Their layout is
// watermill-sql's.
type topic struct{ messages, positions string }

// publicEvents is the topic of all public events, in watermill_docket_events and watermill_offsets_docket_events.
var publicEvents = topic{
	messages:  outbox.Schema().MessagesTable(outbox.Topic),
	positions: watermillsql.DefaultPostgreSQLOffsetsAdapter{}.MessagesOffsetsTable(outbox.Topic),
}

// position is a position in a topic. Messages are ordered by the transaction that published them,
// then by number.
type position struct {
	transaction uint64
	offset      int64
}

// later returns the later of two positions, either of which may be nil.
func later(a, b *position) *position {
	if b == nil || a != nil && cmp.Or(cmp.Compare(a.transaction, b.transaction), cmp.Compare(a.offset, b.offset)) > 0 {
		return a
	}
	return b
}

// readQuery locks the position of group $1 and returns the messages after it. It differs from
// watermill-sql's own query in three ways. A row comparison seeks the position in the primary key,
// where the library's condition scans the whole backlog for each batch. The row is locked only if
// something is unread, so an idle poll writes nothing and takes no transaction id. It skips a group
// that another server has locked. The inner limit keeps the planner from turning the probe into a
// join.
func (t topic) readQuery() string {
	return fmt.Sprintf(`
WITH position AS MATERIALIZED (
	SELECT offset_acked, last_processed_transaction_id FROM %[2]s o
	WHERE consumer_group = $1 AND (
		SELECT true FROM %[1]s m
		WHERE (m.transaction_id, m."offset") > (o.last_processed_transaction_id, o.offset_acked)
		  AND m.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
		ORDER BY m.transaction_id, m."offset" LIMIT 1)
	FOR UPDATE OF o SKIP LOCKED)
SELECT transaction_id, "offset", uuid, payload, metadata FROM %[1]s
WHERE (transaction_id, "offset") > ((SELECT last_processed_transaction_id FROM position), (SELECT offset_acked FROM position))
  AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY transaction_id, "offset"
LIMIT %[3]d`, t.messages, t.positions, batchSize)
}

// moveQuery moves the position of group $3 forward, never back. It runs once per batch: with one
// update per message, PostgreSQL would have to skip all the dead versions of the row. It does not
// wait for another server that has locked the group, since waiting delays every reader.
func (t topic) moveQuery() string {
	return `UPDATE ` + t.positions + ` SET last_processed_transaction_id = $1, offset_acked = $2 WHERE consumer_group = (
		SELECT consumer_group FROM ` + t.positions + `
		WHERE consumer_group = $3 AND (last_processed_transaction_id, offset_acked) < ($1, $2) FOR UPDATE SKIP LOCKED)`
}

// enrollQuery gives group $1 a position before all messages if it has none yet.
func (t topic) enrollQuery() string {
	return `INSERT INTO ` + t.positions + ` (consumer_group, offset_acked, last_processed_transaction_id)
	VALUES ($1, 0, '0') ON CONFLICT DO NOTHING`
}

// read returns the next messages of a group and locks the group's position until the transaction
// of db ends. It returns none if all are read or another server has the lock.
func (t topic) read(ctx context.Context, db postgres.Querier, group string) ([]received, error) {
	return postgres.Collect(ctx, db, "read messages", func(row pgx.CollectableRow) (received, error) {
		r := received{msg: message.NewMessage("", nil)}
		var payload []byte
		err := row.Scan(&r.at.transaction, &r.at.offset, &r.msg.UUID, &payload, &r.msg.Metadata)
		r.msg.Payload = payload
		return r, err
	}, t.readQuery(), group)
}

// received is a message with its position in the topic.
type received struct {
	msg *message.Message
	at  position
}
