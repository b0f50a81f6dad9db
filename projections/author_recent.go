package projections

import (
	"context"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/cases"
)

// ReportedThing is reported content of an author, with the outcome of its latest report.
type ReportedThing struct {
	ID         string             `json:"id"` // the report's
	PluginID   string             `json:"pluginId"`
	TargetType string             `json:"targetType"`
	TargetID   string             `json:"targetId"`
	Title      string             `json:"title"`
	ReportedAt domain.Time        `json:"reportedAt"`
	Resolution *report.Resolution `json:"resolution"` // null while it is open
}

const (
	recentThings = 5
	// recentReports is how many decided reports are searched for the latest content, for each of an author's ids.
	recentReports = 200
)

// recentThings returns the last reported content of an author. Open reports are found by the index
// on the authors of cases, decided ones by that on the authors of reports.
func (p *Reports) recentThings(ctx context.Context, c permission.Coverage, names []string, pluginID string) ([]ReportedThing, error) {
	open := casesWhere(squirrel.Select("r.plugin_id", "r.target_type", "r.target_id"), c, Filter{PluginID: pluginID}).
		Where("r.authors && ?::text[]", names).OrderBy("r.last_at DESC").Limit(recentThings)
	ofCases := squirrel.Select("o.id").FromSelect(open, "t").JoinClause(`CROSS JOIN LATERAL (SELECT r.id FROM core_moderation_reports r
		WHERE ` + ofCase + ` AND ` + cases.InCase + ` ORDER BY r.created_at DESC, r.id DESC LIMIT 1) o`)
	decided := squirrel.Expr("SELECT w.report_id FROM unnest(?::text[]) n (author) CROSS JOIN LATERAL ("+newestReports("?")+" LIMIT ?) w", names, pluginID, recentReports)
	latest := squirrel.Select("DISTINCT ON (r.plugin_id, r.target_type, r.target_id) r.id", "r.plugin_id", "r.target_type", "r.target_id", "r.title", "r.created_at", "r.resolution").
		From("core_moderation_reports r").LeftJoin(JoinTarget).
		Where(squirrel.Expr("r.id IN (? UNION ?)", ofCases, decided)).Where(present.covered(c)).
		OrderBy("r.plugin_id", "r.target_type", "r.target_id", "r.created_at DESC", "r.id DESC")
	return postgres.CollectBuilt(ctx, p.pool, "read what was reported of an author", pgx.RowToStructByPos[ReportedThing])(
		psql.Select("l.id::text", "l.plugin_id", "l.target_type", "l.target_id", "l.title", "l.created_at", "l.resolution").
			FromSelect(latest, "l").OrderBy("l.created_at DESC", "l.id DESC").Limit(recentThings).ToSql())
}
