package eventstore

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/docketmod/docket/eventstore/postgres"
)

// accountGone reports whether err is a violation of a foreign key on an account.
func accountGone(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23503" {
		return false
	}
	switch pg.ConstraintName {
	case "core_moderation_reports_reporter_id_fkey", "core_moderation_reports_assignee_id_fkey",
		"core_moderation_reports_resolver_id_fkey", "core_moderation_report_notes_author_id_fkey",
		"core_moderation_appeals_appellant_id_fkey", "core_moderation_appeals_decider_id_fkey", "core_moderation_measures_imposed_by_fkey",
		"core_moderation_reports_escalated_to_fkey", "core_moderation_note_rates_user_id_fkey":
		return true
	}
	return false
}

// ReportsOf implements moderation.Log. It reads the partial indexes on reporter, assignee, resolver, pinned notes,
// escalations, held and released decisions, the authors of notes, appellants, deciders and imposers of measures.
func (s *Store) ReportsOf(ctx context.Context, userID string, limit int) ([]string, error) {
	return postgres.Collect(ctx, s.pool, "find the reports of an account", pgx.RowTo[string], `SELECT DISTINCT id::text FROM (
		(SELECT id FROM core_moderation_reports WHERE reporter_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE assignee_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE resolver_id = $1 LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE pins IS NOT NULL AND pins::jsonb @> jsonb_build_array(jsonb_build_object('by', $1::text)) LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE held IS NOT NULL AND held ->> 'by' = $1::text LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE decision ->> 'releasedBy' = $1::text LIMIT $2) UNION ALL
		(SELECT id FROM core_moderation_reports WHERE escalation IS NOT NULL AND $1::text IN (escalated_to::text, escalation ->> 'by', escalation ->> 'from') LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_report_notes WHERE author_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE appellant_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_appeals WHERE decider_id = $1 LIMIT $2) UNION ALL
		(SELECT report_id FROM core_moderation_measures WHERE imposed_by = $1 LIMIT $2) UNION ALL
		(SELECT r.id FROM core_moderation_appeals a JOIN core_moderation_reports r ON r.id = a.report_id
			WHERE a.status = 'open' AND jsonb_exists(r.decision::jsonb->'makers', $1::text) LIMIT $2)) r LIMIT $2`, userID, limit)
}
