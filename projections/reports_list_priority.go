package projections

import (
	"context"
	"fmt"
	"math"
	"slices"

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

// Reports are ordered by the priority of their case, which is in another table: they are
// found by reading the cases in their order. Reports without a case follow, by id: those
// that are done or by muted people, and those whose case is not projected yet.

// noRank is the rank of a report without a case, below all others.
const noRank = math.MinInt64

// ranked is a position in the order by priority.
type ranked struct {
	ID   string
	Rank int64
}

// listByPriority is list for the ordering `priority`.
func (p *Reports) listByPriority(ctx context.Context, c permission.Coverage, f Filter, r paging.Request) (paging.Page[moderation.Stored], error) {
	places, err := p.ranked(ctx, c, f, r)
	if err != nil {
		return paging.Page[moderation.Stored]{}, fmt.Errorf("list reports by priority: %w", err)
	}
	ids := domain.Map(places, func(place ranked) string { return place.ID })
	found, err := p.findCounted(ctx, ids)
	if err != nil {
		return paging.Page[moderation.Stored]{}, err
	}
	// Reports are never deleted, so all of them are found.
	page := paging.NewPage(places, r, func(place ranked) paging.Position {
		return paging.Position{Value: paging.IntValue(place.Rank), ID: paging.UUIDValue(place.ID)}
	})
	return paging.Map(page, func(place ranked) moderation.Stored { return *found[place.ID] }), nil
}

// ranked returns the rows of a page with their ranks, in the direction of travel. It reads reports
// without a case only if those with a case do not fill the page.
func (p *Reports) ranked(ctx context.Context, c permission.Coverage, f Filter, r paging.Request) ([]ranked, error) {
	parts := []squirrel.SelectBuilder{withCase(f), withoutCase(f)}
	if r.Travel() == paging.Asc {
		slices.Reverse(parts)
	}
	var places []ranked
	wanted := r.Offset() + r.Limit()
	for _, part := range parts {
		part = f.where(part).LeftJoin(JoinTarget).Where(present.covered(c)).Where(present.only(f.Scope))
		more, err := postgres.CollectBuilt(ctx, p.Lists, "find reports", pgx.RowToStructByPos[ranked])(
			sqlpage.Apply(r, part).Limit(uint64(wanted - len(places))).RemoveOffset().ToSql())
		if err != nil {
			return nil, err
		}
		if places = append(places, more...); len(places) == wanted {
			break
		}
	}
	return places[min(r.Offset(), len(places)):], nil
}

// withCase returns the query for the reports that are part of a case, by the index on its rank.
func withCase(f Filter) squirrel.SelectBuilder {
	return f.search(psql.Select("r.id::text", "k.rank").From("core_moderation_cases k").
		Join("core_moderation_reports r ON r.plugin_id = k.plugin_id AND r.target_type = k.target_type AND r.target_id = k.target_id AND " + cases.InCase))
}

// withoutCase returns the query for all other reports.
func withoutCase(f Filter) squirrel.SelectBuilder {
	return f.search(psql.Select("r.id::text", "k.rank").From("core_moderation_reports r").
		CrossJoin(fmt.Sprintf("(SELECT '%d'::bigint AS rank) k", int64(noRank))).
		Where(`(r.status = 'done' OR r.muted OR NOT EXISTS (SELECT FROM core_moderation_cases o
			WHERE o.plugin_id = r.plugin_id AND o.target_type = r.target_type AND o.target_id = r.target_id))`))
}

// search restricts the query to the reports that match the search.
func (f Filter) search(b squirrel.SelectBuilder) squirrel.SelectBuilder {
	if q := f.query(); q != "" {
		return b.Where(squirrel.Expr("r.search @@ ?::tsquery", q))
	}
	return b
}
