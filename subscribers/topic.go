package subscribers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/eventstore/outbox"
	"github.com/docketmod/docket/eventstore/postgres"
)

// batchSize is how many messages a group reads at once. Each is handled in a savepoint, and
// PostgreSQL stores at most 64 of a transaction in shared memory: beyond that, every backend has to
// read pg_subtrans to see whether a row is visible.
const batchSize = 50

// The tables of the topic of all public events, quoted for SQL. Their layout is watermill-sql's.
var (
	messagesTable  = outbox.Schema().MessagesTable(outbox.Topic)
	positionsTable = watermillsql.DefaultPostgreSQLOffsetsAdapter{}.MessagesOffsetsTable(outbox.Topic)
)

// position is a position in the topic. Messages are ordered by the transaction that published them,
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

// selectUnread locks the position of group $1 and returns the messages after it. It differs from
// watermill-sql's own query in three ways. A row comparison seeks the position in the primary key,
// where the library's condition scans the whole backlog for each batch. The row is locked only if
// something is unread, so an idle poll writes nothing and takes no transaction id. It skips a group
// that another server has locked. The inner limit keeps the planner from turning the probe into a
// join.
var selectUnread = fmt.Sprintf(`
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
LIMIT %[3]d`, messagesTable, positionsTable, batchSize)

// movePosition moves the position of group $3 forward, never back. It runs once per batch: with one
// update per message, PostgreSQL would have to skip all the dead versions of the row. It does not
// wait for another server that has locked the group, since waiting delays every reader.
var movePosition = `UPDATE ` + positionsTable + ` SET last_processed_transaction_id = $1, offset_acked = $2 WHERE consumer_group = (
	SELECT consumer_group FROM ` + positionsTable + `
	WHERE consumer_group = $3 AND (last_processed_transaction_id, offset_acked) < ($1, $2) FOR UPDATE SKIP LOCKED)`

// enrollGroup gives group $1 a position before all messages if it has none yet.
var enrollGroup = `INSERT INTO ` + positionsTable + ` (consumer_group, offset_acked, last_processed_transaction_id)
	VALUES ($1, 0, '0') ON CONFLICT DO NOTHING`

// received is an event with its position in the topic.
type received struct {
	event.Event
	metadata []byte // as it was sent
	at       position
}

// readEvents reads the next events of a group and locks the group's position until the transaction
// of db ends. It returns none if all are read or another server has the lock.
func readEvents(ctx context.Context, db postgres.Querier, group string) ([]received, error) {
	return postgres.Collect(ctx, db, "read messages", func(row pgx.CollectableRow) (r received, err error) {
		var id string
		var payload []byte
		if err := row.Scan(&r.at.transaction, &r.at.offset, &id, &payload, &r.metadata); err != nil {
			return r, err
		}
		r.Event, err = toEvent(id, payload, r.metadata)
		return r, err
	}, selectUnread, group)
}

// toEvent parses what outbox.Queue wrote. A member that does not parse stays empty, since listeners
// rely on the payload.
func toEvent(id string, payload, metadata []byte) (event.Event, error) {
	var meta map[string]string
	if err := json.Unmarshal(metadata, &meta); err != nil {
		return event.Event{}, fmt.Errorf("metadata of event %s: %w", id, err)
	}
	sequence, _ := strconv.ParseInt(meta[outbox.MetaSequence], 10, 64)
	at, _ := time.Parse(time.RFC3339Nano, meta[outbox.MetaOccurredAt])
	return event.Event{
		ID: id, Name: meta[outbox.MetaName], ReportID: meta[outbox.MetaReportID], Sequence: sequence,
		PluginID: meta[outbox.MetaPluginID], ActorID: meta[outbox.MetaActorID], OccurredAt: at, Payload: payload,
	}, nil
}
