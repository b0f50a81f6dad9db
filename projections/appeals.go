package projections

import (
	"context"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// AppealList pages appeals, the oldest first, by the indexes on created_at.
var AppealList = paging.List{
	Orderings: []paging.Ordering{{Name: "createdAt", Expr: "a.created_at", Kind: paging.Time}},
	ID:        paging.ID{Expr: "a.id", Kind: paging.UUID},
}

// storedAppealColumns read the texts from the events. Erased texts are null.
const storedAppealColumns = appealColumns + `,
	(SELECT u.name FROM core_users u WHERE u.id = a.appellant_id), (SELECT u.name FROM core_users u WHERE u.id = a.decider_id),
	(SELECT convert_from(e.evidence, 'UTF8')::json #>> '{words,text}' FROM core_moderation_report_events e WHERE e.report_id = a.report_id AND e.sequence = a.sequence),
	(SELECT convert_from(e.evidence, 'UTF8')::json #>> '{words,reply}' FROM core_moderation_report_events e WHERE e.report_id = a.report_id AND e.sequence = a.decided_sequence)`

func scanStoredAppeal(row pgx.CollectableRow) (moderation.StoredAppeal, error) {
	var a moderation.StoredAppeal
	var appellant, decider *string
	err := row.Scan(append(appealFields(&a.Appeal), &appellant, &decider, &a.Text, &a.Reply)...)
	a.Appellant, a.Decider = person(a.AppellantID, appellant), person(a.DeciderID, decider)
	return a, err
}

// Appeal implements moderation.Appeals.
func (p *Reports) Appeal(ctx context.Context, id string) (moderation.StoredAppeal, error) {
	return postgres.CollectFound(ctx, p.pool, "read an appeal", scanStoredAppeal, `SELECT `+storedAppealColumns+` FROM core_moderation_appeals a WHERE a.id = $1`, id)
}

// AppealFilter narrows a list of appeals. The zero AppealFilter selects all.
type AppealFilter struct {
	Statuses []report.AppealStatus
	// DecidableBy leaves out appeals by this account, and those of its decisions.
	DecidableBy string
}

// ListAppeals returns a page of the appeals within the coverage, and their reports by id.
func (p *Reports) ListAppeals(ctx context.Context, c permission.Coverage, f AppealFilter, r paging.Request) (paging.Page[moderation.StoredAppeal], map[string]*moderation.Stored, error) {
	none := paging.Page[moderation.StoredAppeal]{}
	q := psql.Select(storedAppealColumns).From("core_moderation_appeals a").
		Join("core_moderation_reports r ON r.id = a.report_id").LeftJoin(JoinTarget).Where(present.covered(c))
	if len(f.Statuses) > 0 {
		q = q.Where(squirrel.Eq{"a.status": f.Statuses})
	}
	if f.DecidableBy != "" {
		q = q.Where("r.resolver_id IS DISTINCT FROM ?::uuid AND a.appellant_id IS DISTINCT FROM ?::uuid AND jsonb_exists(r.decision::jsonb->'makers', ?::text) IS NOT TRUE AND r.decision ->> 'releasedBy' IS DISTINCT FROM ?",
			f.DecidableBy, f.DecidableBy, f.DecidableBy, f.DecidableBy)
	}
	found, err := postgres.CollectBuilt(ctx, p.pool, "list appeals", scanStoredAppeal)(sqlpage.Apply(r, q).ToSql())
	if err != nil {
		return none, nil, err
	}
	page := paging.NewPage(found, r, func(a moderation.StoredAppeal) paging.Position { return paging.At(a.CreatedAt, a.ID) })
	ids := domain.Map(page.Edges, func(a moderation.StoredAppeal) string { return a.ReportID })
	reports, err := p.findCounted(ctx, ids)
	return page, reports, err
}
