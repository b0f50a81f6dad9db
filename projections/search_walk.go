package projections

import (
	"context"
	"fmt"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// A word that many reports hold is found by walking a list in its order: a page of it is
// full soon, whereas the index of words would read every report that holds the word. A word
// that few hold is found by that index. Which of them it is shows the walk itself, which
// ends after walkedRows.
const (
	walkedRows = 2000
	// commonWords is how many of the walked reports hold a word that counts as common. A
	// rarer word is in about as many reports as the index reads within the time of a walk.
	commonWords = 26
	// fewReports is how many reports there are at most while the index is quick for any word.
	fewReports = 20_000
)

// walkQuery reads the page of a search from the next walkedRows of the list.
func walkQuery(c permission.Coverage, f Filter, r paging.Request) (string, []any, error) {
	var by Filter
	if len(f.Statuses) == 1 { // it is part of the indexes of the orders
		by.Statuses, f.Statuses = f.Statuses, nil
	}
	walked := sqlpage.Apply(r, by.where(squirrel.Select("r.*").From("core_moderation_reports r"))).RemoveOffset().Limit(walkedRows)
	page := f.search(f.where(psql.Select("r.*", "t.scope_family AS now_family", "t.scope_id AS now_id").FromSelect(walked, "r")).LeftJoin(joinTarget)).
		Where(present.covered(c)).Where(present.only(f.Scope)).OrderBy(sqlpage.OrderClause(r)).Limit(uint64(r.Limit()))
	if r.Offset() > 0 {
		page = page.Offset(uint64(r.Offset()))
	}
	return withPeople(page, r)
}

// newestQuery selects the newest reports as r, for a search that walks.
func newestQuery(b squirrel.SelectBuilder) squirrel.SelectBuilder {
	return b.FromSelect(squirrel.Select("r.*").From("core_moderation_reports r").OrderBy("r.created_at DESC", "r.id DESC").Limit(walkedRows), "r")
}

// isCommon reports whether many reports hold the words of the search, so that what it finds
// is counted among the newest reports alone.
func (p *Reports) isCommon(ctx context.Context, f Filter) (bool, error) {
	sql, args, err := Filter{Search: f.Search}.search(newestQuery(psql.Select(
		"(SELECT coalesce(sum(reports), 0)::bigint FROM core_moderation_counts)", "count(*)"))).ToSql()
	var all, found int
	if err == nil {
		err = p.Lists.QueryRow(ctx, sql, args...).Scan(&all, &found)
	}
	if err != nil {
		return false, fmt.Errorf("search reports: %w", err)
	}
	return all > fewReports && found >= commonWords, nil
}
