package projections

import (
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// QueueFilingLock implements eventstore.Inline.
func (Inline) QueueFilingLock(b *pgx.Batch, filings []*report.Created) {
	reporters := make([]string, len(filings))
	for i, f := range filings {
		reporters[i] = f.ReporterID
	}
	b.Queue(`SELECT pg_advisory_xact_lock(l.key) FROM (
		SELECT DISTINCT hashtextextended('docket:filing:' || id, 0) AS key FROM unnest($1::uuid[]) AS reporter (id) ORDER BY key) l`, reporters)
}

// insertFiling counts by the partial index on (reporter_id, created_at). If there is an open
// report of the target, the unique index on open_key makes it insert nothing.
const insertFiling = `INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
		scope_family, scope_id, locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name,
		reporter_id, open_key, search, created_at, updated_at, muted, due_at)
	SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19::uuid, $20, array_to_tsvector($21), $22, $23, $24, $25
	WHERE (SELECT count(*) FROM core_moderation_reports WHERE reporter_id = $19 AND created_at > $26::timestamptz) < $27::int
	ON CONFLICT DO NOTHING`

// insertTarget neither changes nor locks an existing row: a transaction that moves the target
// has locked its content and must not wait for a filing.
const insertTarget = `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
	SELECT $1, $2, $3, $4, $5, true WHERE EXISTS (SELECT FROM core_moderation_reports WHERE id = $6::uuid) ON CONFLICT DO NOTHING`

// QueueFiling implements eventstore.Inline.
func (Inline) QueueFiling(b *pgx.Batch, created *report.Created, s report.State, since time.Time, atMost int, stored *bool) {
	family, id := resourceColumns(s.Target.Scope)
	b.Queue(insertFiling, s.ID, s.Status, s.Version, s.Sequence, s.Target.PluginID, s.Target.Type, s.Target.ID, s.Target.PermissionModule,
		family, id, s.Locale, s.RequestedLocale, s.Reason, s.Description, []byte(s.Snapshot), s.Title, s.Excerpt, s.ReporterName,
		s.ReporterID, openKeyOf(s), searchTerms(s), s.CreatedAt, s.UpdatedAt, s.Muted, s.DueAt, since, atMost).
		Exec(func(tag pgconn.CommandTag) error {
			*stored = tag.RowsAffected() == 1
			return nil
		})
	family, id = resourceColumns(created.Target.Scope)
	b.Queue(insertTarget, created.Target.PluginID, created.Target.Type, created.Target.ID, family, id, s.ID)
}

// QueueFiled implements eventstore.Inline. The count reads the partial index
// on (reporter_id, created_at).
func (Inline) QueueFiled(b *pgx.Batch, c *report.Created, since time.Time, f *eventstore.Filed) {
	b.Queue(`SELECT coalesce((SELECT id::text FROM core_moderation_reports WHERE open_key = $1), ''), count(*), min(created_at)
		FROM core_moderation_reports WHERE reporter_id = $2 AND created_at > $3`,
		openKey(&c.ReporterID, c.Target), c.ReporterID, since).
		QueryRow(func(row pgx.Row) error { return row.Scan(&f.OpenReportID, &f.Count, &f.Oldest) })
}
