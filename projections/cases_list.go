package projections

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/projections/cases"
)

// CaseList pages cases. Each ordering has an index on core_moderation_cases.
var CaseList = paging.List{
	ID: paging.ID{Expr: "r.id", Kind: paging.UUID},
	Orderings: []paging.Ordering{
		{Name: "priority", Expr: "r.rank", Kind: paging.Int, Default: paging.Desc},
		{Name: "firstAt", Expr: "r.first_at", Kind: paging.Time},
		{Name: "lastAt", Expr: "r.last_at", Kind: paging.Time, Default: paging.Desc},
		{Name: "dueAt", Expr: "r.due_at", Kind: paging.Time, Nullable: true},
	},
}

// Cases reads a page of the cases that are within the coverage and have an open report that passes
// the filter. The figures of a case include all of its reports.
func (p *Reports) Cases(ctx context.Context, c permission.Coverage, f Filter, r paging.Request) (paging.Page[moderation.StoredCase], error) {
	query := casesWhere(psql.Select("r.*", "t.scope_family AS now_family", "t.scope_id AS now_id"), c, f)
	sql, args, err := sqlpage.Apply(r, query).ToSql()
	if err != nil {
		return paging.Page[moderation.StoredCase]{}, fmt.Errorf("list cases: %w", err)
	}
	// The names are looked up only for the rows of the page.
	found, err := postgres.Collect(ctx, p.Lists, "list cases", scanCase, `SELECT r.id::text, r.plugin_id, r.target_type, r.target_id, r.permission_module, r.now_family, r.now_id,
			r.title, r.excerpt, r.open_reports, r.reasons, r.first_at, r.last_at, r.due_at, r.parts, r.rank,
			(SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', u.name) ORDER BY u.name, u.id), '[]') FROM core_users u WHERE u.id = ANY (r.assignees)),
			k.until, k.parked_by::text, (SELECT u.name FROM core_users u WHERE u.id = k.parked_by),
			(SELECT coalesce(json_agg(json_build_object('reportId', o.id, 'noteId', p ->> 'noteId', 'until', p ->> 'until',
					'by', (SELECT json_build_object('id', u.id, 'name', u.name) FROM core_users u WHERE u.id = (p ->> 'by')::uuid)) ORDER BY p ->> 'until'), '[]')
				FROM core_moderation_reports o, json_array_elements(o.pins) p WHERE o.pins IS NOT NULL AND o.plugin_id = r.plugin_id AND o.target_type = r.target_type
				AND o.target_id = r.target_id AND (p ->> 'until')::timestamptz > now()),
			`+escalatedColumn+`,
			(SELECT coalesce(f.authors, f.snapshot -> 'authors')::text FROM core_moderation_reports f WHERE f.plugin_id = r.plugin_id AND f.target_type = r.target_type
				AND f.target_id = r.target_id AND f.status <> 'done' AND NOT f.muted ORDER BY f.created_at, f.id LIMIT 1), r.tags
		FROM (`+sql+`) r LEFT JOIN core_moderation_parked k ON `+parked+` ORDER BY `+sqlpage.OrderClause(r), args...)
	if err != nil {
		return paging.Page[moderation.StoredCase]{}, err
	}
	return paging.NewPage(found, r, func(c moderation.StoredCase) paging.Position {
		at := paging.Position{ID: paging.UUIDValue(c.ID)}
		switch r.OrderBy() {
		case "firstAt":
			at.Value = paging.TimeValue(c.FirstAt)
		case "lastAt":
			at.Value = paging.TimeValue(c.LastAt)
		case "dueAt":
			at.Value = paging.NullTimeValue(c.DueAt)
		default:
			at.Value = paging.IntValue(c.Rank)
		}
		return at
	}), nil
}

func scanCase(row pgx.CollectableRow) (moderation.StoredCase, error) {
	var c moderation.StoredCase
	var family, id, by, name, authors *string
	var until *time.Time
	err := row.Scan(&c.ID, &c.Target.PluginID, &c.Target.Type, &c.Target.ID, &c.Module, &family, &id, &c.Title, &c.Excerpt,
		&c.OpenReports, &c.Reasons, &c.FirstAt, &c.LastAt, &c.DueAt, &c.Parts, &c.Rank, &c.Assignees, &until, &by, &name, &c.Pinned, &c.Escalated, &authors, &c.Tags)
	c.Scope, c.Authors = resource(family, id), authorsIn(authors)
	if until != nil {
		c.Parked = &moderation.Parked{Until: domain.Time(*until), By: person(by, name)}
	}
	return c, err
}

// casesWhere makes the query select cases within the coverage and the filter: as r, with the report
// columns that the coverage reads, and their targets as t.
func casesWhere(b squirrel.SelectBuilder, c permission.Coverage, f Filter) squirrel.SelectBuilder {
	b = b.From("core_moderation_cases r").
		Join(JoinTarget).
		Where(present.covered(c)).Where(present.only(f.Scope))
	if f.Muted != nil && *f.Muted {
		return b.Where("false") // cases leave them out
	}
	b = Filter{PluginID: f.PluginID, TargetType: f.TargetType, TargetID: f.TargetID}.where(b)
	of := f
	of.PluginID, of.TargetType, of.TargetID, of.Scope, of.Statuses, of.Muted = "", "", "", nil, nil, nil
	of.Search, of.Author = "", nil
	reports := of.where(squirrel.Select("r.plugin_id", "r.target_type", "r.target_id").From("core_moderation_reports r")).
		Where(cases.InCase)
	switch q := f.words(); {
	case q != "": // read from the index of words
		b = b.Where(squirrel.Expr("(r.plugin_id, r.target_type, r.target_id) IN (?)", reports.Where(squirrel.Expr("r.search @@ ?::tsquery", q))))
	case !reflect.ValueOf(of).IsZero():
		b = b.Where(squirrel.Expr("EXISTS (?)", reports.Where(ofCase)))
	}
	return b
}

// ofCase is the SQL condition that a report r belongs to the case of target t.
const ofCase = "r.plugin_id = t.plugin_id AND r.target_type = t.target_type AND r.target_id = t.target_id"

// OpenReports implements moderation.Cases. It reads the partial index on the targets of
// reports that are not done.
func (p *Reports) OpenReports(ctx context.Context, t moderation.CaseTarget, limit int) ([]string, error) {
	return postgres.Collect(ctx, p.pool, "find the reports of a case", pgx.RowTo[string], `SELECT r.id::text FROM core_moderation_reports r
		WHERE r.plugin_id = $1 AND r.target_type = $2 AND r.target_id = $3 AND `+cases.InCase+`
		ORDER BY r.created_at, r.id LIMIT $4`, t.PluginID, t.Type, t.ID, limit)
}

// CountOpenReports implements moderation.Cases.
func (p *Reports) CountOpenReports(ctx context.Context, t moderation.CaseTarget) (int, error) {
	return postgres.CollectOne(ctx, p.pool, "count the reports of a case", pgx.RowTo[int], `SELECT count(*) FROM core_moderation_reports r
		WHERE r.plugin_id = $1 AND r.target_type = $2 AND r.target_id = $3 AND `+cases.InCase, t.PluginID, t.Type, t.ID)
}
