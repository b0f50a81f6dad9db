package projections

import (
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// QueueRewrite implements eventstore.Inline: it makes the report's row and its
// notes exactly the fold of its events, whatever stood there, also where
// nothing did. The caller holds the report's lock.
func (Inline) QueueRewrite(b *pgx.Batch, s report.State, notes map[string]report.Note) {
	var family, id *string
	if s.Target.Scope != nil {
		family, id = &s.Target.Scope.Family, &s.Target.Scope.ID
	}
	b.Queue(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
			scope_family, scope_id, locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name,
			reporter_id, assignee_id, resolver_id, resolution, explanation, shared, open_key, note_count, erased, search,
			created_at, updated_at, resolved_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
			$26, $27, array_to_tsvector($28), $29, $30, $31)
		ON CONFLICT (id) DO UPDATE SET (status, version, sequence, plugin_id, target_type, target_id, permission_module,
			scope_family, scope_id, locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name,
			reporter_id, assignee_id, resolver_id, resolution, explanation, shared, open_key, note_count, erased, search,
			created_at, updated_at, resolved_at)
		= (EXCLUDED.status, EXCLUDED.version, EXCLUDED.sequence, EXCLUDED.plugin_id, EXCLUDED.target_type, EXCLUDED.target_id,
			EXCLUDED.permission_module, EXCLUDED.scope_family, EXCLUDED.scope_id, EXCLUDED.locale, EXCLUDED.requested_locale,
			EXCLUDED.reason, EXCLUDED.description, EXCLUDED.snapshot, EXCLUDED.title, EXCLUDED.excerpt, EXCLUDED.reporter_name,
			EXCLUDED.reporter_id, EXCLUDED.assignee_id, EXCLUDED.resolver_id, EXCLUDED.resolution, EXCLUDED.explanation,
			EXCLUDED.shared, EXCLUDED.open_key, EXCLUDED.note_count, EXCLUDED.erased, EXCLUDED.search,
			EXCLUDED.created_at, EXCLUDED.updated_at, EXCLUDED.resolved_at)`,
		s.ID, s.Status, s.Version, s.Sequence, s.Target.PluginID, s.Target.Type, s.Target.ID, s.Target.PermissionModule,
		family, id, s.Locale, s.RequestedLocale, s.Reason, s.Description, nullJSON(s.Snapshot), s.Title, s.Excerpt, s.ReporterName,
		s.ReporterID, s.AssigneeID, s.ResolverID, s.Resolution, s.Explanation, s.Shared, openKeyOf(s), s.NoteCount, s.Erased,
		searchTerms(s), s.CreatedAt, s.UpdatedAt, s.ResolvedAt)
	// The present scope of a target is no fold: what is known stays.
	b.Queue(`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, s.Target.PluginID, s.Target.Type, s.Target.ID, family, id)
	ids := slices.Sorted(maps.Keys(notes))
	b.Queue(`DELETE FROM core_moderation_report_notes WHERE report_id = $1 AND NOT id = ANY ($2::uuid[])`, s.ID, ids)
	for _, id := range ids {
		n := notes[id]
		b.Queue(`INSERT INTO core_moderation_report_notes (id, report_id, author_id, kind, body, erased, created_at, edited_at, deleted_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (id) DO UPDATE SET (report_id, author_id, kind, body, erased, created_at, edited_at, deleted_at)
			= (EXCLUDED.report_id, EXCLUDED.author_id, EXCLUDED.kind, EXCLUDED.body, EXCLUDED.erased, EXCLUDED.created_at,
				EXCLUDED.edited_at, EXCLUDED.deleted_at)`,
			n.ID, n.ReportID, n.AuthorID, n.Kind, nullJSON(n.Body), n.Erased, n.CreatedAt, n.EditedAt, n.DeletedAt)
	}
}

// nullJSON stores no document as null, and not as the JSON value null.
func nullJSON(document []byte) []byte {
	if len(document) == 0 {
		return nil
	}
	return document
}
