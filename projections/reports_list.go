package projections

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// ReportList pages reports, by the indexes on (created_at, id) and (updated_at, id), each
// with and without the status in front.
var ReportList = paging.List{
	ID: paging.ID{Expr: "r.id", Kind: paging.UUID},
	Orderings: []paging.Ordering{
		{Name: "createdAt", Expr: "r.created_at", Kind: paging.Time, Default: paging.Desc},
		{Name: "updatedAt", Expr: "r.updated_at", Kind: paging.Time, Default: paging.Desc},
		{Name: "dueAt", Expr: "r.due_at", Kind: paging.Time, Default: paging.Asc, Nullable: true},
		{Name: "priority", Expr: "k.rank", Kind: paging.Int, Default: paging.Desc},
	},
	Numbered: true,
}

// Filter narrows a list of reports. The zero Filter selects every report.
type Filter struct {
	Statuses   []report.Status
	AssigneeID string // a user
	Unassigned bool
	Assigned   bool // to anybody
	Search     string
	Author     *measure.Author // of the content, as snapshots name them
	Locale     string          // of the content
	PluginID   string
	TargetType string
	TargetID   string
	Reason     report.Reason
	Policy     string // the key of the policy that the reporter named
	Scope      *scope.Resource
	After      *time.Time // created later than this
	Before     *time.Time // created earlier than this
	Muted      *bool      // filed by somebody who was then muted
	Overdue    bool       // open, and past its deadline
	Tag        string     // from a live rule
	Escalated  *WaitsFor  // escalated, and to whom
	Except     string     // a report to leave out
}

var psql = squirrel.StatementBuilder.PlaceholderFormat(squirrel.Dollar)

// List returns a page of the reports within the coverage, with the total.
func (p *Reports) List(ctx context.Context, c permission.Coverage, f Filter, r paging.Request) (paging.Page[moderation.Stored], error) {
	page, err := p.list(ctx, c, f, r)
	if err != nil {
		return page, err
	}
	total, capped, err := p.total(ctx, c, f)
	if err != nil {
		return paging.Page[moderation.Stored]{}, err
	}
	if capped { // the page may show more than was examined for the total
		total = max(total, r.Offset()+len(page.Edges))
	}
	return page.WithTotal(total, capped), nil
}

// Related returns a page of the other reports on the same target within the coverage.
func (p *Reports) Related(ctx context.Context, c permission.Coverage, of report.State, r paging.Request) (paging.Page[moderation.Stored], error) {
	return p.list(ctx, c, Filter{PluginID: of.Target.PluginID, TargetType: of.Target.Type, TargetID: of.Target.ID, Except: of.ID}, r)
}

func (p *Reports) list(ctx context.Context, c permission.Coverage, f Filter, r paging.Request) (paging.Page[moderation.Stored], error) {
	if r.OrderBy() == "priority" {
		return p.listByPriority(ctx, c, f, r)
	}
	if f.query() != "" {
		stored, err := p.read(ctx, walkQuery, c, f, r)
		if err != nil {
			return paging.Page[moderation.Stored]{}, err
		}
		if len(stored) == r.Limit() {
			return pageOf(stored, r), nil
		}
	}
	stored, err := p.read(ctx, listQuery, c, f, r)
	if err != nil {
		return paging.Page[moderation.Stored]{}, err
	}
	return pageOf(stored, r), nil
}

// read reads the rows of a page with its query.
func (p *Reports) read(ctx context.Context, query func(permission.Coverage, Filter, paging.Request) (string, []any, error), c permission.Coverage, f Filter, r paging.Request) ([]moderation.Stored, error) {
	return postgres.CollectBuilt(ctx, p.Lists, "list reports", scanStored)(query(c, f, r))
}

func pageOf(stored []moderation.Stored, r paging.Request) paging.Page[moderation.Stored] {
	return paging.NewPage(stored, r, func(s moderation.Stored) paging.Position {
		switch r.OrderBy() {
		case "updatedAt":
			return paging.At(s.UpdatedAt, s.ID)
		case "dueAt":
			return paging.Position{Value: paging.NullTimeValue(s.DueAt), ID: paging.UUIDValue(s.ID)}
		}
		return paging.At(s.CreatedAt, s.ID)
	})
}

// listQuery returns the query for a page, by the index of the list's order, or of the search.
func listQuery(c permission.Coverage, f Filter, r paging.Request) (string, []any, error) {
	page := f.where(f.from(psql.Select("r.*", "t.scope_family AS now_family", "t.scope_id AS now_id")).LeftJoin(JoinTarget)).
		Where(present.covered(c)).Where(present.only(f.Scope))
	return withPeople(sqlpage.Apply(r, page), r)
}

// withPeople returns the query for a page that joins people and counts open reports only for its rows.
func withPeople(page squirrel.SelectBuilder, r paging.Request) (string, []any, error) {
	sql, args, err := page.ToSql()
	if err != nil {
		return "", nil, err
	}
	return withOpenOnTargets(sql) + `SELECT ` + stateColumns + `, r.now_family, r.now_id, ` + peopleColumns + `, n.open, ` + detailColumns +
		` FROM page r` + joinOpenOnTargets + peopleJoins + ` ORDER BY ` + sqlpage.OrderClause(r), args, nil
}

// from makes the query select the reports that match the search, by the index of the search. Without OFFSET 0 the
// planner may scan the list in order and test every row; see walkQuery.
func (f Filter) from(b squirrel.SelectBuilder) squirrel.SelectBuilder {
	if q := f.query(); q != "" {
		found := squirrel.Select("*").From("core_moderation_reports").Where(squirrel.Expr("search @@ ?::tsquery", q)).Suffix("OFFSET 0")
		return b.FromSelect(found, "r")
	}
	return b.From("core_moderation_reports r")
}

// where adds every filter to the query except the scope, for which there is scopeColumns. WaitsFor needs the target t.
func (f Filter) where(b squirrel.SelectBuilder) squirrel.SelectBuilder {
	if len(f.Statuses) == 1 {
		b = b.Where(squirrel.Eq{"r.status": string(f.Statuses[0])})
	} else if len(f.Statuses) > 1 {
		b = b.Where(squirrel.Expr("r.status = ANY (?)", f.Statuses))
	}
	if f.Unassigned {
		b = b.Where("r.assignee_id IS NULL")
	}
	if f.Assigned {
		b = b.Where("r.assignee_id IS NOT NULL")
	}
	for _, given := range []struct{ condition, value string }{
		{"r.locale = ?", f.Locale}, {"r.assignee_id = ?::uuid", f.AssigneeID},
		{"r.plugin_id = ?", f.PluginID}, {"r.target_type = ?", f.TargetType}, {"r.target_id = ?", f.TargetID},
		{"r.reason = ?", string(f.Reason)}, {"r.alleged_policy ->> 'key' = ?", f.Policy},
		{"r.tags @> jsonb_build_array(?::text)", f.Tag}, // by the index core_moderation_reports_tags
		{"r.id <> ?::uuid", f.Except},
	} {
		if given.value != "" {
			b = b.Where(given.condition, given.value)
		}
	}
	if f.After != nil {
		b = b.Where(squirrel.Gt{"r.created_at": *f.After})
	}
	if f.Before != nil {
		b = b.Where(squirrel.Lt{"r.created_at": *f.Before})
	}
	if f.Muted != nil {
		b = b.Where(squirrel.Eq{"r.muted": *f.Muted})
	}
	if f.Overdue {
		b = b.Where(sqlpage.NullableExpr("r.due_at") + " < now() AND r.status <> 'done'")
	}
	if f.Escalated != nil {
		b = b.Where(escalated).Where(f.Escalated.condition())
	}
	return b
}
