// Package projections holds core_moderation_reports and the tables that belong to it: how
// commands keep them, how they are queried, and how they are rebuilt from the log. What is
// counted from the log is in projections/projector.
package projections

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Inline keeps core_moderation_reports and core_moderation_report_notes the
// fold of their events, in the command's own transaction. It implements
// eventstore.Inline.
type Inline struct{}

// stateColumns are the folded state without its snapshot, in the order of stateFields.
const stateColumns = `r.id::text, r.status, r.version, r.sequence, r.plugin_id, r.target_type, r.target_id, r.permission_module,
	r.scope_family, r.scope_id, r.locale, r.requested_locale, r.reason, r.description, r.title, r.excerpt, r.reporter_name,
	r.reporter_id::text, r.assignee_id::text, r.resolver_id::text, r.resolution, r.explanation, r.shared,
	r.decision, r.standing, r.note_count, r.erased, r.muted, r.due_at, r.overdue, r.pending_actions, r.created_at, r.updated_at, r.resolved_at, ` + BehindColumn

// stateFields returns the destinations of stateColumns. done must be called after the scan. It
// reports whether the state includes every event that the row does.
func stateFields(s *report.State) (fields []any, done func() (whole bool, err error)) {
	var family, id *string
	var behind Behind
	fields = []any{&s.ID, &s.Status, &s.Version, &s.Sequence, &s.Target.PluginID, &s.Target.Type, &s.Target.ID, &s.Target.PermissionModule,
		&family, &id, &s.Locale, &s.RequestedLocale, &s.Reason, &s.Description, &s.Title, &s.Excerpt, &s.ReporterName,
		&s.ReporterID, &s.AssigneeID, &s.ResolverID, &s.Resolution, &s.Explanation, &s.Shared,
		&s.Decision, &s.Standing, &s.NoteCount, &s.Erased, &s.Muted, &s.DueAt, &s.Overdue, &s.Pending, &s.CreatedAt, &s.UpdatedAt, &s.ResolvedAt, &behind}
	return fields, func() (bool, error) {
		s.Target.Scope = resource(family, id)
		return behind.Fold(s)
	}
}

func resource(family, id *string) *scope.Resource {
	if family == nil {
		return nil
	}
	r := &scope.Resource{Family: *family}
	if id != nil {
		r.ID = *id
	}
	return r
}

// resourceColumns is the inverse of resource.
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
// A statement that waited for a lock sees the row as it is then, and the events as they were when it
// began, so one of a row that is behind may have to be repeated.
func queueState(b *pgx.Batch, lock, reportID string, state *report.State, present **scope.Resource) {
	b.Queue(`SELECT `+stateColumns+`, t.scope_family, t.scope_id FROM core_moderation_reports r
		LEFT JOIN `+joinTarget+` WHERE r.id = $1`+lock, reportID).Query(func(rows pgx.Rows) error {
		var family, id *string
		fields, done := stateFields(state)
		_, err := pgx.ForEachRow(rows, append(fields, &family, &id), func() error {
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
		switch f := e.Fact.(type) {
		case *report.AccountRemoved:
			reindex = true
			b.Queue(`UPDATE core_moderation_report_notes SET author_id = NULL WHERE report_id = $1 AND author_id = $2`, after.ID, f.UserID)
		}
		if id := report.NoteOf(e.Fact); id != "" {
			queueNote(b, e)
		}
		queueAppeal(b, after, e)
	}
	queueUpdate(b, after, reindex)
}

// queueUpdate stores what commands can change. The snapshot never changes.
func queueUpdate(b *pgx.Batch, s report.State, reindex bool) {
	b.Queue(`UPDATE core_moderation_reports SET status = $2, version = $3, sequence = $4, reporter_id = $5, assignee_id = $6, resolver_id = $7,
			resolution = $8, explanation = $9, shared = $10, open_key = $11, note_count = $12, updated_at = $13, resolved_at = $14,
			reporter_name = $15, overdue = $16, decision = $17, standing = $18,
			pending_actions = $19, folded = $4 WHERE id = $1`,
		s.ID, s.Status, s.Version, s.Sequence, s.ReporterID, s.AssigneeID, s.ResolverID,
		s.Resolution, s.Explanation, s.Shared, openKeyOf(s), s.NoteCount, s.UpdatedAt, s.ResolvedAt, s.ReporterName, s.Overdue,
		decisionColumn(&s), standingColumn(&s), pendingColumn(&s))
	if reindex {
		b.Queue(`UPDATE core_moderation_reports SET search = array_to_tsvector($2) WHERE id = $1`, s.ID, searchTerms(s))
	}
}

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
	}
}
