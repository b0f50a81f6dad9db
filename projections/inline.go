// Package projections has core_moderation_reports and the tables that belong to it: how commands
// update them, how they are queried, and how they are rebuilt from the log. Projections that follow
// the log are in projections/projector. It is not for import.
package projections

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Inline keeps core_moderation_reports and core_moderation_report_notes equal to the fold of their
// events, in the command's own transaction. It implements eventstore.Inline.
type Inline struct{}

func resource(family, id *string) *scope.Resource {
	if family == nil {
		return nil
	}
	return &scope.Resource{Family: *family, ID: domain.OrEmpty(id)}
}

// resourceColumns converts a resource to columns.
func resourceColumns(r *scope.Resource) (family, id *string) {
	if r == nil {
		return nil, nil
	}
	return &r.Family, &r.ID
}

// QueueLock implements eventstore.Inline.
func (Inline) QueueLock(b *pgx.Batch, reportID string, state *report.State, present **scope.Resource) {
	queueState(b, ` FOR UPDATE OF r`, reportID, state, present)
}

// queueState reads the state of a report, which stays zero if there is none, and its present scope.
// A statement that waited for a lock sees the row as it is after the wait, but the events as they
// were before, so it may have to be repeated for a row that is outdated.
func queueState(b *pgx.Batch, lock, reportID string, state *report.State, present **scope.Resource) {
	b.Queue(`SELECT `+stateColumns+`, r.signals, t.scope_family, t.scope_id FROM core_moderation_reports r
		LEFT JOIN `+JoinTarget+` WHERE r.id = $1`+lock, reportID).Query(func(rows pgx.Rows) error {
		var family, id *string
		fields, done := stateFields(state)
		_, err := pgx.ForEachRow(rows, append(fields, &state.Signals, &family, &id), func() error {
			*present = resource(family, id)
			whole, err := done()
			if err == nil && !whole && lock != "" {
				err = fmt.Errorf("the events of report %s end before its row: %w", reportID, postgres.ErrRepeat)
			}
			return err
		})
		return err
	})
}

const noteColumns = `n.id::text, n.report_id::text, n.author_id::text, n.kind, n.body, n.erased, n.created_at, n.edited_at, n.deleted_at`

// noteFields returns the destinations of noteColumns.
func noteFields(n *report.Note) []any {
	return []any{&n.ID, &n.ReportID, &n.AuthorID, &n.Kind, (*[]byte)(&n.Body), &n.Erased, &n.CreatedAt, &n.EditedAt, &n.DeletedAt}
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

// QueueSave implements eventstore.Inline.
func (Inline) QueueSave(b *pgx.Batch, after report.State, events []report.Event) {
	reindex := false // the searchable words have changed
	for _, e := range events {
		if _, removed := e.Fact.(*report.AccountRemoved); removed {
			reindex = after.ReporterName == nil // another account may be the removed one
		}
		queueNote(b, e)
		queueAppeal(b, after, e)
		queueMeasures(b, after, e)
		CoreSeconds.Queue(b, e)
	}
	queueUpdate(b, after, reindex)
}

// updateReport stores what commands can change in the report $1. The snapshot never changes.
var updateReport = func() string {
	set := make([]string, len(changedRow))
	for i, f := range changedRow {
		set[i] = fmt.Sprintf("%s = $%d", f.name, i+2)
	}
	return `UPDATE core_moderation_reports SET ` + strings.Join(set, ", ") + ` WHERE id = $1`
}()

func queueUpdate(b *pgx.Batch, s report.State, reindex bool) {
	w := projected{state: s, openKey: openKeyOf(s)}
	args := []any{s.ID}
	for _, f := range changedRow {
		args = append(args, f.value(&w))
	}
	b.Queue(updateReport, args...)
	if reindex {
		b.Queue(`UPDATE core_moderation_reports SET search = `+forgetName+` WHERE id = $1`, s.ID, termsBefore(s))
	}
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
