package projections_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// TestQueriesUseTheirIndexes asks PostgreSQL how it reads 48,000 reports: by an
// index, and never by sorting or reading the whole table.
func TestQueriesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool, 48_000)
	t.Run("signals", func(t *testing.T) { signalsAreFoundByTheirKey(t, pool) })
	t.Run("look-alikes", func(t *testing.T) { lookAlikesUseTheirIndexes(t, pool) })
	t.Run("lists", func(t *testing.T) { listsUseTheirIndexes(t, pool) })
}

func listsUseTheirIndexes(t *testing.T, pool *pgxpool.Pool) {
	ctx := context.Background()
	pgtest.Exec(t, pool, `UPDATE core_moderation_reports SET escalation = '{"at": "2026-11-26T20:00:00Z", "sequence": 1}' WHERE id IN (SELECT id FROM core_moderation_reports WHERE status = 'new' ORDER BY id LIMIT 200)`)
	pgtest.Exec(t, pool, `ANALYZE core_moderation_reports`)
	user := pgtest.One[string](t, pool, `SELECT assignee_id::text FROM core_moderation_reports WHERE assignee_id IS NOT NULL LIMIT 1`)

	reports := projections.NewReports(pool)
	first, err := reports.List(ctx, permission.Coverage{All: true}, projections.Filter{}, parse(t, "first=50"))
	require.NoError(t, err)
	require.Equal(t, 10_000, *first.PageInfo.TotalCount)
	require.True(t, *first.PageInfo.TotalCountCapped)
	cursor := "cursor=" + url.QueryEscape(*first.PageInfo.EndCursor)

	all := permission.Coverage{All: true}
	some := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: thousand()}}}
	for name, c := range map[string]struct {
		coverage permission.Coverage
		filter   projections.Filter
		query    string
		index    string
	}{
		"the newest":            {all, projections.Filter{}, "", "core_moderation_reports_created"},
		"the oldest":            {all, projections.Filter{}, "order=asc", "core_moderation_reports_created"},
		"after a cursor":        {all, projections.Filter{}, cursor, "core_moderation_reports_created"},
		"before a cursor":       {all, projections.Filter{}, cursor + "&last=10", "core_moderation_reports_created"},
		"the tail":              {all, projections.Filter{}, "last=10", "core_moderation_reports_created"},
		"by change":             {all, projections.Filter{}, "orderBy=updatedAt", "core_moderation_reports_updated"},
		"a status":              {all, projections.Filter{Statuses: []report.Status{report.Done}}, cursor, "core_moderation_reports_status_created"},
		"mine":                  {all, projections.Filter{AssigneeID: user}, "", "core_moderation_reports_assignee"},
		"related":               {all, projections.Filter{PluginID: "forum", TargetType: "forum.post", TargetID: "77"}, "", "core_moderation_reports_target"},
		"a thousand categories": {some, projections.Filter{}, cursor, "core_moderation_reports_created"},
		"a search":              {all, projections.Filter{Search: "word4711"}, "", "core_moderation_reports_search"},
		"a search by target id": {all, projections.Filter{Search: "4711"}, "", "core_moderation_reports_search"},
		"a rule":                {all, projections.Filter{Policy: "be-kind"}, "", "core_moderation_reports_alleged"},
		"an author":             {all, projections.Filter{Author: &measure.Author{PluginID: "forum", ID: "4711"}}, "", "core_moderation_reports_search"},
		"a rare locale":         {all, projections.Filter{Locale: "eo"}, "", "core_moderation_reports_search"},
		"a tag":                 {all, projections.Filter{Tag: "rare"}, "", "core_moderation_reports_tags"},
		"escalated to me":       {all, projections.Filter{Escalated: &projections.WaitsFor{UserID: user, Leads: some}}, "", "core_moderation_reports_escalated"},
		"escalated to anybody":  {some, projections.Filter{Escalated: &projections.WaitsFor{}}, cursor, "core_moderation_reports_escalated"},
		"one category":          {all, projections.Filter{Scope: &scope.Resource{Family: "forum.category", ID: "c7"}}, "", "core_moderation_targets_scope"},
	} {
		t.Run(name, func(t *testing.T) {
			sql, args, err := projections.ListQuery(c.coverage, c.filter, parse(t, c.query))
			require.NoError(t, err)
			requireIndex(t, pool, c.index, sql, args)
		})
	}

	// What no kind of reports tells apart is counted by an index.
	now := time.Now()
	for name, c := range map[string]struct {
		filter projections.Filter
		index  string
	}{
		"of a target":       {projections.Filter{PluginID: "forum", TargetType: "forum.post", TargetID: "77"}, "core_moderation_reports_target"},
		"mine":              {projections.Filter{AssigneeID: user}, "core_moderation_reports_assignee"},
		"of a tag":          {projections.Filter{Tag: "rare"}, "core_moderation_reports_tags"},
		"overdue":           {projections.Filter{Overdue: true}, "core_moderation_reports_due"},
		"escalated to me":   {projections.Filter{Escalated: &projections.WaitsFor{UserID: user, Leads: some}}, "core_moderation_reports_escalated"},
		"of a time":         {projections.Filter{After: &now}, "core_moderation_reports_created"},
		"of a time, by new": {projections.Filter{After: &now, Statuses: []report.Status{report.New}}, "core_moderation_reports_status_created"},
	} {
		t.Run("the total: "+name, func(t *testing.T) {
			sql, args, err := projections.TotalQuery(some, c.filter)
			require.NoError(t, err)
			requireIndex(t, pool, c.index, sql, args)
		})
	}

	// Every row that fill stores is without the words of its snapshot.
	for _, index := range []string{"core_moderation_reports_behind", "core_moderation_reports_wordless"} {
		requireIndex(t, pool, "using "+index, projections.SelectIncomplete, []any{uuid.Max, 500})
	}
}

func requireIndex(t *testing.T, pool *pgxpool.Pool, index, sql string, args []any) {
	t.Helper()
	lines := pgtest.All[string](t, pool, "EXPLAIN "+sql, args...)
	plan := strings.Join(lines, "\n")
	require.Contains(t, plan, index, plan)
	require.NotContains(t, plan, "Seq Scan on core_moderation_reports", plan)
}

// thousand is every other category, sorted as a coverage has them.
func thousand() []string {
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = fmt.Sprintf("c%d", i*2)
	}
	slices.Sort(ids)
	return ids
}

func parse(t testing.TB, query string) (r paging.Request) {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	r, err = projections.ReportList.Parse(q)
	require.NoError(t, err)
	return r
}
