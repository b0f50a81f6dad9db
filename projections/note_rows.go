package projections

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

const noteColumns = `n.id::text, n.report_id::text, n.author_id::text, n.kind, n.body, n.erased, n.created_at, n.edited_at, n.deleted_at`

// noteFields returns the destinations of noteColumns.
func noteFields(n *report.Note) []any {
	return []any{&n.ID, &n.ReportID, &n.AuthorID, &n.Kind, (*[]byte)(&n.Body), &n.Erased, &n.CreatedAt, &n.EditedAt, &n.DeletedAt}
}

// noteRow is a note's row, its id first.
var noteRow = []field[report.Note]{
	column("id", "uuid", func(n *report.Note) string { return n.ID }),
	column("report_id", "uuid", func(n *report.Note) string { return n.ReportID }),
	column("author_id", "uuid", func(n *report.Note) *string { return n.AuthorID }),
	column("kind", "text", func(n *report.Note) string { return string(n.Kind) }),
	column("body", "json", func(n *report.Note) *string { return document(n.Body) }),
	column("erased", "boolean", func(n *report.Note) bool { return n.Erased }),
	column("created_at", "timestamptz", func(n *report.Note) time.Time { return n.CreatedAt }),
	column("edited_at", "timestamptz", func(n *report.Note) *time.Time { return n.EditedAt }),
	column("deleted_at", "timestamptz", func(n *report.Note) *time.Time { return n.DeletedAt }),
}

func scanNote(row pgx.CollectableRow) (n report.Note, err error) {
	err = row.Scan(noteFields(&n)...)
	return n, err
}

const selectNote = `SELECT ` + noteColumns + ` FROM core_moderation_report_notes n WHERE n.id = $1 AND n.report_id = $2`

// QueueNote implements eventstore.Inline.
func (Inline) QueueNote(b *pgx.Batch, reportID, noteID string, note **report.Note) {
	b.Queue(selectNote, noteID, reportID).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, scanNote)
		if len(found) > 0 {
			*note = &found[0]
		}
		return err
	})
}

// queueNote stores a note after an event.
func queueNote(b *pgx.Batch, e report.Event) {
	switch f := e.Fact.(type) {
	case *report.NoteAdded:
		b.Queue(`INSERT INTO core_moderation_report_notes (id, report_id, author_id, kind, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			f.NoteID, e.ReportID, e.ActorID, f.Kind, []byte(f.Words.Body), e.OccurredAt)
	case *report.NoteUpdated:
		b.Queue(`UPDATE core_moderation_report_notes SET kind = $2, body = $3, edited_at = $4, erased = false WHERE id = $1`,
			f.NoteID, f.Kind, []byte(f.Words.Body), e.OccurredAt)
	case *report.NoteDeleted:
		b.Queue(`UPDATE core_moderation_report_notes SET body = NULL, deleted_at = $2 WHERE id = $1`, f.NoteID, e.OccurredAt)
	case *report.AccountRemoved:
		b.Queue(`UPDATE core_moderation_report_notes SET author_id = NULL WHERE report_id = $1 AND author_id = $2`, e.ReportID, f.UserID)
	}
}
