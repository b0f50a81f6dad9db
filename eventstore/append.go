package eventstore

import (
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
)

// eventColumns are the columns that an append writes, in the order of appendedColumns.
var eventColumns = []string{"event_id", "report_id", "sequence", "version", "type", "payload", "evidence", "evidence_digest",
	"actor_id", "occurred_at", "prev_hash", "hash", "signature"}

func appendedColumns(r *Record) []any {
	return []any{r.EventID, r.ReportID, r.Sequence, r.Version, r.Type, r.Payload, r.Evidence, r.EvidenceDigest,
		r.ActorID, r.OccurredAt, r.PrevHash, r.Hash, r.Signature}
}

// copiedColumns returns the appendedColumns for use in arrays: with the ids as pgtype.UUID, which pgx encodes faster.
func copiedColumns(r *Record) []any {
	row := appendedColumns(r)
	for i, name := range eventColumns {
		if strings.HasSuffix(name, "_id") {
			row[i] = postgres.CopiedID(row[i])
		}
	}
	return row
}

// appendEvent inserts one event. appendFiled inserts events from arrays, but only those of reports that this
// transaction has stored: not of reports that were refused, or stored by an earlier attempt.
var (
	insertEvent = `INSERT INTO core_moderation_report_events (` + strings.Join(eventColumns, ", ") + `) `
	appendEvent = insertEvent + `VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
	appendFiled = insertEvent + `SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::text[], $6::bytea[], $7::bytea[],
			$8::bytea[], $9::uuid[], $10::timestamptz[], $11::bytea[], $12::bytea[], $13::bytea[]) AS e (` + strings.Join(eventColumns, ", ") + `)
		WHERE (SELECT xmin FROM core_moderation_reports WHERE id = e.report_id) = pg_current_xact_id()::xid`
)

// queueAppend adds the inserts of events to the batch. prevHash is the hash of the stream's
// last event.
func (s *Store) queueAppend(b *pgx.Batch, events []report.Event, prevHash []byte) error {
	for _, e := range events {
		r, err := NewSignedRecord(e, prevHash, s.signer)
		if err != nil {
			return err
		}
		b.Queue(appendEvent, appendedColumns(&r)...)
		prevHash = r.Hash
	}
	return nil
}

// queueHead reads the hash of the stream's last event.
func queueHead(b *pgx.Batch, reportID string, hash *[]byte) {
	*hash = genesis
	b.Queue(`SELECT hash FROM core_moderation_report_events WHERE report_id = $1 ORDER BY sequence DESC LIMIT 1`, reportID).
		Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{hash}, func() error { return nil })
			return err
		})
}
