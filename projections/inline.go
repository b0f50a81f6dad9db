// Package projections holds the read models: core_moderation_reports and its
// companions, their queries, and how they are built from the log.
package projections

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
)

// Inline keeps core_moderation_reports and core_moderation_report_notes the
// fold of their events, in the command's own transaction. It implements
// eventstore.Inline.
type Inline struct{}

// stateColumns are the folded state without its snapshot, in the order of scanState.
const stateColumns = `r.id::text, r.status, r.version, r.sequence, r.plugin_id, r.target_type, r.target_id, r.permission_module,
	r.scope_family, r.scope_id, r.locale, r.requested_locale, r.reason, r.description, r.title, r.excerpt, r.reporter_name,
	r.reporter_id::text, r.assignee_id::text, r.resolver_id::text, r.resolution, r.explanation, r.shared,
	r.note_count, r.erased, r.created_at, r.updated_at, r.resolved_at`

// stateFields are where the columns of stateColumns go; done sets what they
// cannot set by themselves.
func stateFields(s *report.State) (fields []any, done func()) {
	var family, id *string
	fields = []any{&s.ID, &s.Status, &s.Version, &s.Sequence, &s.Target.PluginID, &s.Target.Type, &s.Target.ID, &s.Target.PermissionModule,
		&family, &id, &s.Locale, &s.RequestedLocale, &s.Reason, &s.Description, &s.Title, &s.Excerpt, &s.ReporterName,
		&s.ReporterID, &s.AssigneeID, &s.ResolverID, &s.Resolution, &s.Explanation, &s.Shared,
		&s.NoteCount, &s.Erased, &s.CreatedAt, &s.UpdatedAt, &s.ResolvedAt}
	return fields, func() {
		s.Target.Scope = resource(family, id)
		s.CreatedAt, s.UpdatedAt = s.CreatedAt.UTC(), s.UpdatedAt.UTC()
		if s.ResolvedAt != nil {
			*s.ResolvedAt = s.ResolvedAt.UTC()
		}
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

// resourceColumns is what resource makes a resource of.
func resourceColumns(r *scope.Resource) (family, id *string) {
	if r == nil {
		return nil, nil
	}
	return &r.Family, &r.ID
}

// QueueLock implements eventstore.Inline.
func (Inline) QueueLock(b *pgx.Batch, reportID string, state *report.State) {
	b.Queue(`SELECT `+stateColumns+` FROM core_moderation_reports r WHERE r.id = $1 FOR UPDATE`, reportID).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			fields, done := stateFields(state)
			if err := rows.Scan(fields...); err != nil {
				return err
			}
			done()
		}
		return rows.Err()
	})
}

const noteColumns = `n.id::text, n.report_id::text, n.author_id::text, n.kind, n.body, n.erased, n.created_at, n.edited_at, n.deleted_at`

func scanNote(rows pgx.CollectableRow) (report.Note, error) {
	var n report.Note
	var body []byte
	err := rows.Scan(&n.ID, &n.ReportID, &n.AuthorID, &n.Kind, &body, &n.Erased, &n.CreatedAt, &n.EditedAt, &n.DeletedAt)
	n.Body, n.CreatedAt = body, n.CreatedAt.UTC()
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

// QueueAdmission implements eventstore.Inline. The function is asked only about who
// has that many: it takes ten times what the count does. That the target is reported
// already shows at the insert otherwise.
func (Inline) QueueAdmission(b *pgx.Batch, filings []*report.Created, since time.Time, atMost int) {
	n := len(filings)
	reporters, keys, before := make([]string, n), make([][]byte, n), make([]int, n)
	of := map[string]int{}
	for i, f := range filings {
		reporters[i], keys[i], before[i] = f.ReporterID, openKey(&f.ReporterID, f.Target), of[f.ReporterID]
		of[f.ReporterID]++
	}
	b.Queue(`SELECT pg_advisory_xact_lock(l.key) FROM (
		SELECT DISTINCT hashtextextended('docket:filing:' || id, 0) AS key FROM unnest($1::uuid[]) AS reporter (id) ORDER BY key) l`, reporters)
	b.Queue(`SELECT core_moderation_admit_filing(f.reporter, f.key, $4, $5 - f.before)
		FROM unnest($1::uuid[], $2::bytea[], $3::int[]) AS f (reporter, key, before)
		WHERE (SELECT count(*) FROM core_moderation_reports r WHERE r.reporter_id = f.reporter AND r.created_at > $4) >= $5 - f.before`,
		reporters, keys, before, since, atMost)
}

// QueueTargets implements eventstore.Inline.
func (Inline) QueueTargets(b *pgx.Batch, filings []*report.Created) {
	n := len(filings)
	plugins, types, ids := make([]string, n), make([]string, n), make([]string, n)
	families, scopes := make([]*string, n), make([]*string, n)
	for i, f := range filings {
		plugins[i], types[i], ids[i] = f.Target.PluginID, f.Target.Type, f.Target.ID
		families[i], scopes[i] = resourceColumns(f.Target.Scope)
	}
	// A row that is there already is left alone and unlocked, but for the trigger
	// mark_reported: whoever moves the target holds its content, and waits for
	// nothing that we hold.
	b.Queue(`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
		SELECT t.*, true FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) t ON CONFLICT DO NOTHING`,
		plugins, types, ids, families, scopes)
}

// QueueFilings implements eventstore.Inline. The count reads the partial index
// on (reporter_id, created_at).
func (Inline) QueueFilings(b *pgx.Batch, c *report.Created, since time.Time, f *eventstore.Filings) {
	b.Queue(`SELECT coalesce((SELECT id::text FROM core_moderation_reports WHERE open_key = $1), ''), count(*), min(created_at)
		FROM core_moderation_reports WHERE reporter_id = $2 AND created_at > $3`,
		openKey(&c.ReporterID, c.Target), c.ReporterID, since).
		QueryRow(func(row pgx.Row) error { return row.Scan(&f.OpenReportID, &f.Count, &f.Oldest) })
}

// openKey enforces one open report per reporter and target (spec 2.6).
func openKey(reporterID *string, t report.Target) []byte {
	if reporterID == nil {
		return nil
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", *reporterID, t.PluginID, t.Type, t.ID))
	return key[:]
}

// QueueSave implements eventstore.Inline.
func (Inline) QueueSave(b *pgx.Batch, after report.State, events []report.Event) {
	rewords := false // the words that search looks at have changed
	for _, e := range events {
		switch f := e.Fact.(type) {
		case *report.Created:
			queueInsert(b, after)
		case *report.AccountRemoved:
			rewords = true
			b.Queue(`UPDATE core_moderation_report_notes SET author_id = NULL WHERE report_id = $1 AND author_id = $2`, after.ID, f.UserID)
		}
		if id := report.NoteOf(e.Fact); id != "" {
			queueNote(b, e)
		}
	}
	if _, created := events[0].Fact.(*report.Created); !created {
		queueUpdate(b, after, rewords)
	}
}

// openKeyOf is the open key of a report, null when it is done.
func openKeyOf(s report.State) []byte {
	if s.Status == report.Done {
		return nil
	}
	return openKey(s.ReporterID, s.Target)
}

func queueInsert(b *pgx.Batch, s report.State) {
	family, id := resourceColumns(s.Target.Scope)
	b.Queue(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
			scope_family, scope_id, locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name,
			reporter_id, open_key, search, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, array_to_tsvector($21), $22, $23)`,
		s.ID, s.Status, s.Version, s.Sequence, s.Target.PluginID, s.Target.Type, s.Target.ID, s.Target.PermissionModule,
		family, id, s.Locale, s.RequestedLocale, s.Reason, s.Description, []byte(s.Snapshot), s.Title, s.Excerpt, s.ReporterName,
		s.ReporterID, openKeyOf(s), searchTerms(s), s.CreatedAt, s.UpdatedAt)
}

// queueUpdate stores what commands can change, and never the snapshot again.
func queueUpdate(b *pgx.Batch, s report.State, rewords bool) {
	b.Queue(`UPDATE core_moderation_reports SET status = $2, version = $3, sequence = $4, reporter_id = $5, assignee_id = $6, resolver_id = $7,
			resolution = $8, explanation = $9, shared = $10, open_key = $11, note_count = $12, updated_at = $13, resolved_at = $14,
			reporter_name = $15 WHERE id = $1`,
		s.ID, s.Status, s.Version, s.Sequence, s.ReporterID, s.AssigneeID, s.ResolverID,
		s.Resolution, s.Explanation, s.Shared, openKeyOf(s), s.NoteCount, s.UpdatedAt, s.ResolvedAt, s.ReporterName)
	if rewords {
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
