// Package outbox queues public events in the transaction of their command: an event is sent if and only if its command
// committed. Other modules must not import it.
package outbox

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Topic carries every public event in commit order. With one topic for each event there
// would be no order between them.
const Topic = "docket_events"

// The keys of a message's metadata. A key without a value is absent.
const (
	MetaName        = "name"
	MetaReportID    = "report_id"
	MetaSequence    = "sequence"
	MetaPluginID    = "plugin_id"
	MetaActorID     = "actor_id"
	MetaOccurredAt  = "occurred_at"
	MetaContentType = "content_type"
	MetaSchema      = "schema"
)

// SchemaVersion is the version of payload and metadata, sent as MetaSchema.
const SchemaVersion = "1"

// TimeFormat is the form of times in messages: RFC 3339 in UTC with microseconds.
const TimeFormat = "2006-01-02T15:04:05.000000Z07:00"

// Message is a public event to publish.
type Message struct {
	ID         uuid.UUID // the event's id, by which receivers recognize a repeat
	Name       string    // `moderation.report.created`, `content.forum.post.hidden`
	ReportID   string    // "" if the event does not belong to a report
	Sequence   int64     // the event's sequence within its report; 0 without one
	PluginID   string    // plugin of the target, or of the content type
	ActorID    string    // "" if it was not caused by an account
	OccurredAt time.Time
	Payload    []byte // a JSON object
}

// Queue adds one insert of the messages to the batch of the caller's transaction. The messages are
// published in the order given, after those of earlier transactions. Without messages, nothing is
// added. The statement is watermill-sql's. On an error the batch is unchanged.
func Queue(batch *pgx.Batch, messages ...Message) error {
	if len(messages) == 0 {
		return nil
	}
	query, err := Schema().InsertQuery(Topic, toWatermill(messages))
	if err != nil {
		return fmt.Errorf("queue %d messages: %w", len(messages), err)
	}
	batch.Queue(query.Query, plainArguments(query.Args)...)
	return nil
}

// QueueFiled is Queue for messages of new reports. It publishes only those whose report the
// caller's transaction has stored.
func QueueFiled(batch *pgx.Batch, messages ...Message) error {
	if len(messages) == 0 {
		return nil
	}
	rows := make([][]any, len(messages))
	for i, m := range messages {
		metadata, err := json.Marshal(m.Metadata())
		if err != nil {
			return fmt.Errorf("queue the message %s: %w", m.ID, err)
		}
		rows[i] = []any{m.ID.String(), m.Payload, metadata, postgres.CopiedID(m.ReportID)}
	}
	batch.Queue(insertFiled, postgres.Columns(rows)...)
	return nil
}

const insertFiled = `INSERT INTO watermill_` + Topic + ` (uuid, payload, metadata, transaction_id)
	SELECT m.uuid, m.payload, m.metadata, pg_current_xact_id()
	FROM unnest($1::text[], $2::json[], $3::json[], $4::uuid[]) AS m (uuid, payload, metadata, report_id)
	WHERE (SELECT xmin FROM core_moderation_reports WHERE id = m.report_id) = pg_current_xact_id()::xid`

// QueueErased adds a statement to the batch that removes the errors of listeners from the report's
// dead letters, since these may quote the report.
func QueueErased(batch *pgx.Batch, reportID string) {
	batch.Queue(`UPDATE core_poison SET reason = 'Erased, with words of the report.' WHERE metadata->>'`+MetaReportID+`' = $1`, reportID)
}

// Schema is the layout of the topic's table, shared with its subscribers.
func Schema() watermillsql.DefaultPostgreSQLSchema {
	return watermillsql.DefaultPostgreSQLSchema{}
}

func toWatermill(messages []Message) message.Messages {
	out := make(message.Messages, len(messages))
	for i, m := range messages {
		msg := message.NewMessage(m.ID.String(), m.Payload)
		msg.Metadata = m.Metadata()
		out[i] = msg
	}
	return out
}

// Metadata returns the metadata that is sent with the payload.
func (m Message) Metadata() message.Metadata {
	meta := message.Metadata{
		MetaName:        m.Name,
		MetaOccurredAt:  m.OccurredAt.UTC().Format(TimeFormat),
		MetaContentType: "application/json",
		MetaSchema:      SchemaVersion,
	}
	if m.ReportID != "" {
		meta[MetaReportID] = m.ReportID
	}
	if m.Sequence != 0 {
		meta[MetaSequence] = strconv.FormatInt(m.Sequence, 10)
	}
	if m.PluginID != "" {
		meta[MetaPluginID] = m.PluginID
	}
	if m.ActorID != "" {
		meta[MetaActorID] = m.ActorID
	}
	return meta
}

// plainArguments converts JSON columns to plain byte slices: pgx would marshal the library's named
// byte-slice types again.
func plainArguments(args []any) []any {
	out := make([]any, len(args))
	for i, arg := range args {
		if payload, ok := arg.(message.Payload); ok {
			arg = []byte(payload)
		}
		out[i] = arg
	}
	return out
}
