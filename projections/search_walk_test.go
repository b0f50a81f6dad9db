package projections_test

import (
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// Given words that every report, many, few and one hold, when they are searched for page by
// page, then each search finds what the words select, in the order of the list, whichever
// way it is read.
func TestSearchFindsCommonAndRareWords(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool, 21_000)
	ctx := t.Context()
	// Oldest are many that the walk of the newest does not meet.
	for word, where := range map[string]string{"seldom": "target_id::int % 300 = 7", "ancient": "target_id::int > 20500", "mixed": "target_id::int < 60 OR target_id::int % 250 = 0"} {
		pgtest.Exec(t, pool, `UPDATE core_moderation_reports SET search = search || array_to_tsvector(ARRAY[$1::text]) WHERE `+where, word)
	}
	rebuildAll(t, pool)
	reports, all := projections.NewReports(pool), permission.Coverage{All: true}

	for _, c := range []struct {
		search, lexeme string
		filter         projections.Filter
		where          string
	}{
		{"seldom", "seldom", projections.Filter{}, "true"},
		{"anci", "ancient", projections.Filter{}, "true"},
		{"mixed", "mixed", projections.Filter{}, "true"},
		{"mix titl", "mixed", projections.Filter{}, "true"},
		{"mixed", "mixed", projections.Filter{Statuses: []report.Status{report.Done}}, "status = 'done'"},
		{"mixed", "mixed", projections.Filter{Statuses: []report.Status{report.New, report.Done}}, "status <> 'in_progress'"},
	} {
		want := pgtest.All[string](t, pool, `SELECT id::text FROM core_moderation_reports WHERE $1 = ANY (tsvector_to_array(search)) AND `+c.where+` ORDER BY created_at DESC, id DESC`, c.lexeme)
		require.NotEmpty(t, want)
		c.filter.Search = c.search
		var got []string
		for query := "first=25"; ; {
			page, err := reports.List(ctx, all, c.filter, parse(t, query))
			require.NoError(t, err)
			for _, s := range page.Edges {
				got = append(got, s.ID)
			}
			if !*page.PageInfo.TotalCountCapped {
				require.Equal(t, len(want), *page.PageInfo.TotalCount, c.search)
			}
			if !page.PageInfo.HasNextPage {
				break
			}
			query = "first=25&cursor=" + url.QueryEscape(*page.PageInfo.EndCursor)
		}
		require.Equal(t, want, got, c.search)
	}

	common := projections.Filter{Search: "title"}
	page, err := reports.List(ctx, all, common, parse(t, "page=3&pageSize=25"))
	require.NoError(t, err)
	plain, err := reports.List(ctx, all, projections.Filter{}, parse(t, "page=3&pageSize=25"))
	require.NoError(t, err)
	require.Equal(t, plain.Edges, page.Edges)
	require.True(t, *page.PageInfo.TotalCountCapped)
	require.Equal(t, 2000, *page.PageInfo.TotalCount)
	tabs, err := reports.Counts(ctx, all, common, uuid.NewString())
	require.NoError(t, err)
	require.True(t, tabs.Capped)
	require.Equal(t, 2000, tabs.New+tabs.InProgress+tabs.Done)
	tabs, err = reports.Counts(ctx, all, projections.Filter{Search: "ancient"}, uuid.NewString())
	require.NoError(t, err)
	require.False(t, tabs.Capped)
	require.Equal(t, 500, tabs.New+tabs.InProgress+tabs.Done)
	tabs, err = reports.Counts(ctx, all, projections.Filter{}, uuid.NewString())
	require.NoError(t, err)
	require.Equal(t, projections.Counts{New: 10500, InProgress: 5250, Done: 5250, Unassigned: 10500}, tabs, "by kind")
}
