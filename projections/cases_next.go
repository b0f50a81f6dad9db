package projections

import (
	"context"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
)

// ReserveCase reserves the case with the highest priority that is within both coverages and that the filter selects.
// The case must have an open report that the user has not claimed, and none that somebody else has claimed. It must not
// be parked, and the user must not have passed it on within a day. ReserveCase returns nil if there is no such case.
// Concurrent calls skip each other's cases, so they get different ones. A case with an escalated report is only for
// those to whom that is escalated, and comes first for them.
func (p *Reports) ReserveCase(ctx context.Context, view, manage permission.Coverage, f Filter, w WaitsFor) (*moderation.CaseTarget, error) {
	filters := []Filter{f}
	if f.Escalated == nil {
		first := f
		first.Escalated = &w
		filters = []Filter{first, f}
	}
	for _, f := range filters {
		reserved, err := postgres.CollectBuilt(ctx, p.pool, "reserve a case", pgx.RowToAddrOfStructByPos[moderation.CaseTarget])(p.reserve(view, manage, f, w).ToSql())
		if err != nil || len(reserved) > 0 {
			return append(reserved, nil)[0], err
		}
	}
	return nil, nil
}

// reserve returns the statement that reserves the best case by rank, or the best of the filter's escalated reports.
func (p *Reports) reserve(view, manage permission.Coverage, f Filter, w WaitsFor) squirrel.UpdateBuilder {
	userID := w.UserID
	best := casesWhere(squirrel.Select("r.id"), view, f).Where(present.covered(manage)).
		Where("(r.reserved_until IS NULL OR r.reserved_until < now())").
		Where(squirrel.Expr(`NOT EXISTS (SELECT FROM core_moderation_reports r WHERE `+ofCase+`
			AND r.status = 'in_progress' AND NOT r.muted AND r.assignee_id <> ?::uuid)`, userID)).
		Where(squirrel.Expr(`NOT EXISTS (SELECT FROM core_moderation_reports r WHERE `+ofCase+`
			AND `+escalated+` AND NOT r.muted AND (?) IS NOT TRUE)`, w.condition())).
		Where(squirrel.Expr(`EXISTS (SELECT FROM core_moderation_reports r WHERE `+ofCase+`
			AND `+cases.InCase+` AND r.assignee_id IS DISTINCT FROM ?::uuid)`, userID)).
		Where(`NOT EXISTS (SELECT FROM core_moderation_parked k WHERE `+parked+`)`).
		Where(squirrel.Expr(`NOT EXISTS (SELECT FROM core_moderation_passes m WHERE m.mark = sha256(?::bytea || uuid_send(r.id)) AND m.until > now())`, p.passKey(userID))).
		OrderBy("r.rank DESC", "r.id DESC").Limit(1).Suffix("FOR UPDATE OF r SKIP LOCKED")
	return psql.Update("core_moderation_cases").Set("reserved_until", squirrel.Expr("now() + interval '"+reservation+"'")).
		Where(squirrel.Expr("id = (?)", best)).Suffix("RETURNING plugin_id, target_type, target_id")
}

// reservation is how long a case stays reserved if the server dies.
const reservation = "15 seconds"

// ReleaseCase implements moderation.Cases.
func (p *Reports) ReleaseCase(ctx context.Context, t moderation.CaseTarget) error {
	return postgres.Exec(ctx, p.pool, "release a case", `UPDATE core_moderation_cases SET reserved_until = NULL
		WHERE plugin_id = $1 AND target_type = $2 AND target_id = $3`, t.PluginID, t.Type, t.ID)
}
