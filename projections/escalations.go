package projections

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// escalated is the SQL condition for an escalated report r. Servers of the previous release do not clear the escalation
// of a report that they decide.
const escalated = "r.escalation IS NOT NULL AND r.status <> 'done'"

// WaitsFor selects escalated reports by whom they are escalated to. The zero WaitsFor selects all of them.
type WaitsFor struct {
	UserID string              // "" means anybody
	Leads  permission.Coverage // of which the user is a lead
}

// condition returns the SQL condition for an escalated report r with its target t.
func (w WaitsFor) condition() squirrel.Sqlizer {
	if w.UserID == "" {
		return squirrel.Expr("true")
	}
	return squirrel.Or{squirrel.Expr("r.escalated_to = ?::uuid", w.UserID),
		squirrel.And{squirrel.Expr("r.escalated_to IS NULL"), present.covered(w.Leads)}}
}

// Escalated counts the selected escalated reports within the coverage, without those by muted people, and returns when
// the latest of them was escalated; nil if there are none. It reads the partial index on escalated reports.
func (p *Reports) Escalated(ctx context.Context, c permission.Coverage, w WaitsFor) (n int, at *time.Time, err error) {
	err = postgres.ScanBuilt(ctx, p.Lists, "count what is escalated to somebody", &n, &at)(Filter{Escalated: &w}.where(
		psql.Select("count(*)", "max((r.escalation ->> 'at')::timestamptz)").From("core_moderation_reports r")).
		LeftJoin(JoinTarget).Where("NOT r.muted").Where(present.covered(c)).ToSql())
	return n, at, err
}

// escalationColumn reads the note of an escalation from its event, as reasonsColumn does, and the names of the
// accounts.
const escalationColumn = `CASE WHEN r.escalation IS NOT NULL THEN json_build_object(
	'note', (SELECT convert_from(e.evidence, 'UTF8')::json #> '{words,note}' FROM core_moderation_report_events e
		WHERE e.report_id = r.id AND e.sequence = (r.escalation ->> 'sequence')::int),
	'names', (SELECT json_object_agg(u.id, u.name) FROM core_users u WHERE u.id IN (r.escalated_to, (r.escalation ->> 'by')::uuid))) END`

// escalatedColumn selects the escalations of the case r.
const escalatedColumn = `(SELECT coalesce(json_agg(json_build_object('reportId', o.id, 'to', coalesce(o.escalated_to::text, '` + moderation.Leads + `'),
		'person', (SELECT json_build_object('id', u.id, 'name', u.name) FROM core_users u WHERE u.id = o.escalated_to),
		'by', (SELECT json_build_object('id', u.id, 'name', u.name) FROM core_users u WHERE u.id = (o.escalation ->> 'by')::uuid),
		'at', o.escalation ->> 'at') ORDER BY o.escalation ->> 'at'), '[]')
	FROM core_moderation_reports o WHERE o.escalation IS NOT NULL AND o.status <> 'done' AND o.plugin_id = r.plugin_id AND o.target_type = r.target_type AND o.target_id = r.target_id)`
