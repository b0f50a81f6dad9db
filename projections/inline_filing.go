package projections

import (
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// QueueFilingLock implements eventstore.Inline.
func (Inline) QueueFilingLock(b *pgx.Batch, filings []*eventstore.Opening) {
	reporters := make([]any, len(filings))
	for i, f := range filings {
		reporters[i] = postgres.CopiedID(f.Created.ReporterID)
	}
	b.Queue(`SELECT pg_advisory_xact_lock(l.key) FROM (
		SELECT DISTINCT hashtextextended('docket:filing:' || id, 0) AS key FROM unnest($1::uuid[]) AS reporter (id) ORDER BY key) l`, reporters)
}

// insertFilings counts by the partial index on (reporter_id, created_at), and adds the
// reporter's earlier filings of the same statement. If there is an open report of the target,
// the unique index on open_key makes it insert nothing. The lexemes of all filings are in one
// array, since arrays of different lengths cannot be elements of one.
const insertFilings = `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
		scope_family, scope_id, locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name,
		reporter_id, open_key, created_at, updated_at, muted, due_at, search, folded)
	SELECT f.id, f.status, f.version, f.sequence, f.plugin_id, f.target_type, f.target_id, f.permission_module,
		f.scope_family, f.scope_id, f.locale, f.requested_locale, f.reason, f.description, f.snapshot, f.title, f.excerpt, f.reporter_name,
		f.reporter_id, f.open_key, f.created_at, f.updated_at, f.muted, f.due_at, array_to_tsvector(($28::text[])[f.first_lexeme:f.last_lexeme]), f.sequence
	FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
		$9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::json[], $16::text[], $17::text[], $18::text[],
		$19::uuid[], $20::bytea[], $21::timestamptz[], $22::timestamptz[], $23::bool[], $24::timestamptz[], $25::int[], $26::int[], $27::int[])
		AS f (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
		scope_family, scope_id, locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name,
		reporter_id, open_key, created_at, updated_at, muted, due_at, first_lexeme, last_lexeme, earlier)
	WHERE f.earlier + (SELECT count(*) FROM core_moderation_reports r
		WHERE r.reporter_id = f.reporter_id AND r.created_at > f.created_at - $29::interval) < $30::int
	ON CONFLICT DO NOTHING RETURNING id::text`

// insertTargets neither changes nor locks an existing row: a transaction that moves the target
// has locked its content and must not wait for a filing.
const insertTargets = `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
	SELECT t.plugin_id, t.target_type, t.target_id, t.scope_family, t.scope_id, true
	FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
		AS t (plugin_id, target_type, target_id, scope_family, scope_id, report_id)
	WHERE (SELECT xmin FROM core_moderation_reports WHERE id = t.report_id) = pg_current_xact_id()::xid
	ON CONFLICT DO NOTHING`

// QueueFilings implements eventstore.Inline.
func (Inline) QueueFilings(b *pgx.Batch, filings []*eventstore.Opening, window time.Duration, atMost int) {
	reports, targets := make([][]any, len(filings)), make([][]any, len(filings))
	var lexemes []string
	earlier, byID := map[string]int{}, make(map[string]*eventstore.Opening, len(filings))
	for i, f := range filings {
		s := &f.State
		id := postgres.CopiedID(s.ID)
		family, scopeID := resourceColumns(s.Target.Scope)
		terms := searchTerms(*s)
		reports[i] = []any{id, s.Status, s.Version, s.Sequence, s.Target.PluginID, s.Target.Type, s.Target.ID, s.Target.PermissionModule,
			family, scopeID, s.Locale, s.RequestedLocale, s.Reason, s.Description, []byte(s.Snapshot), s.Title, s.Excerpt, s.ReporterName,
			postgres.CopiedID(s.ReporterID), openKeyOf(*s), s.CreatedAt, s.UpdatedAt, s.Muted, s.DueAt,
			len(lexemes) + 1, len(lexemes) + len(terms), earlier[f.Created.ReporterID]}
		lexemes = append(lexemes, terms...)
		family, scopeID = resourceColumns(f.Created.Target.Scope)
		targets[i] = []any{f.Created.Target.PluginID, f.Created.Target.Type, f.Created.Target.ID, family, scopeID, id}
		earlier[f.Created.ReporterID]++
		byID[s.ID], f.Stored = f, false
	}
	b.Queue(insertFilings, append(postgres.Columns(reports), lexemes, window, atMost)...).Query(func(rows pgx.Rows) error {
		var id string
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			byID[id].Stored = true
			return nil
		})
		return err
	})
	b.Queue(insertTargets, postgres.Columns(targets)...)
}

// QueueFiled implements eventstore.Inline. The count reads the partial index
// on (reporter_id, created_at).
func (Inline) QueueFiled(b *pgx.Batch, c *report.Created, since time.Time, f *eventstore.Filed) {
	b.Queue(`SELECT coalesce((SELECT id::text FROM core_moderation_reports WHERE open_key = $1), ''), count(*), min(created_at)
		FROM core_moderation_reports WHERE reporter_id = $2 AND created_at > $3`,
		openKey(&c.ReporterID, c.Target), c.ReporterID, since).
		QueryRow(func(row pgx.Row) error { return row.Scan(&f.OpenReportID, &f.Count, &f.Oldest) })
}
