package eventstore

import (
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// appendEvent inserts an event. appendFiled inserts it only if this transaction has stored
// its report, and not if the report was refused or stored by an earlier attempt.
var (
	appendEvent = `INSERT INTO core_moderation_report_events (` + strings.Join(eventColumns, ", ") + `)
		SELECT $1, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13`
	appendFiled = appendEvent + ` WHERE EXISTS (SELECT FROM core_moderation_reports WHERE id = $2 AND xmin = pg_current_xact_id()::xid)`
)

// queueAppend adds the inserts of events to the batch. insert is the statement, prevHash the
// hash of the stream's last event.
func (s *Store) queueAppend(b *pgx.Batch, insert string, events []report.Event, prevHash []byte) error {
	for _, e := range events {
		r, err := NewSignedRecord(e, prevHash, s.signer)
		if err != nil {
			return err
		}
		b.Queue(insert, appendedColumns(&r)...)
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
