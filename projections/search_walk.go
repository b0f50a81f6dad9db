package projections

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
	"github.com/docketmod/docket/projections/counts"
)

// A search either walks the list in order or reads the index of words. The walk soon fills a page
// for a word in many reports, for which the index would read all of them. The index is better for a
// rare word. The walk ends after walkedRows; if the page is not full by then, the word is rare.
const (
	walkedRows = 2000
	// commonWords is in how many of the walked reports a word must be to be common. For a rarer
	// word, the index takes about as long as a walk.
	commonWords = 26
	// fewReports is the number of reports up to which the index is fast for every word.
	fewReports = 20_000
)

// walkQuery returns the query for the page of a search in the next walkedRows of the list.
func walkQuery(c permission.Coverage, f Filter, r paging.Request) (string, []any, error) {
	var by Filter
	if len(f.Statuses) == 1 { // the indexes of the orderings include the status
		by.Statuses, f.Statuses = f.Statuses, nil
	}
	walked := sqlpage.Apply(r, by.where(squirrel.Select("r.*").From("core_moderation_reports r"))).RemoveOffset().Limit(walkedRows)
	page := f.search(f.where(psql.Select("r.*", "t.scope_family AS now_family", "t.scope_id AS now_id").FromSelect(walked, "r")).LeftJoin(JoinTarget)).
		Where(present.covered(c)).Where(present.only(f.Scope)).OrderBy(sqlpage.OrderClause(r)).Limit(uint64(r.Limit()))
	if r.Offset() > 0 {
		page = page.Offset(uint64(r.Offset()))
	}
	return withPeople(page, r)
}

// newestQuery makes the query select from the newest reports as r.
func newestQuery(b squirrel.SelectBuilder) squirrel.SelectBuilder {
	return b.FromSelect(squirrel.Select("r.*").From("core_moderation_reports r").OrderBy("r.created_at DESC", "r.id DESC").Limit(walkedRows), "r")
}

// isCommon reports whether many reports contain the words of the search. Matches are then counted
// among the newest reports only.
func (p *Reports) isCommon(ctx context.Context, f Filter) (bool, error) {
	if f.query() == "" {
		return false, nil
	}
	var many, common bool
	err := postgres.ScanBuilt(ctx, p.Lists, "search reports", &many, &common)(Filter{Search: f.Search, Author: f.Author, Locale: f.Locale}.search(newestQuery(psql.
		Select(counts.MoreThan(fewReports)).Column("count(*) >= ?", commonWords))).ToSql())
	return many && common, err
}
