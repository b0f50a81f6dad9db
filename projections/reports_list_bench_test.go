package projections_test

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// BenchmarkList reads pages of a board of 100,000 reports, with their totals, and
// the figures of its tabs, the two that it compares turn by turn. The ratio of
// their medians may be 1.2 for the thousandth page by cursor beside the first, and
// 2 for a moderator with 1,000 selected resources beside one without limits.
// Reading writes nothing, so that it does not matter that the tests' database
// never syncs.
func BenchmarkList(b *testing.B) {
	pool := pgtest.New(b)
	fill(b, pool, 100_000)
	rebuildAll(b, pool)
	pgtest.Exec(b, pool, `VACUUM ANALYZE`)
	reports := projections.NewReports(pool)
	all := permission.Coverage{All: true}
	some := permission.Coverage{Modules: []permission.ModuleCoverage{
		{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: thousand()},
		{Plugin: "forum", Module: "topics", Family: "forum.category", IDs: thousand()},
	}}

	thousandth := "first=25"
	for range 999 {
		before, err := reports.List(b.Context(), all, projections.Filter{}, parse(b, thousandth))
		require.NoError(b, err)
		thousandth = "first=25&cursor=" + url.QueryEscape(*before.PageInfo.EndCursor)
	}

	read := func(c permission.Coverage, f projections.Filter, query string) func(b *testing.B) {
		r := parse(b, query)
		return func(b *testing.B) {
			page, err := reports.List(context.Background(), c, f, r)
			require.NoError(b, err)
			require.Len(b, page.Edges, 25)
			require.NotZero(b, *page.PageInfo.TotalCount)
		}
	}
	tabs := func(c permission.Coverage) func(b *testing.B) {
		return func(b *testing.B) {
			n, err := reports.Counts(context.Background(), c, projections.Filter{}, uuid.NewString())
			require.NoError(b, err)
			require.NotZero(b, n.New)
		}
	}
	unfiltered, fresh := projections.Filter{}, projections.Filter{Statuses: []report.Status{report.New}}
	first := read(all, unfiltered, "first=25")
	for _, c := range []struct {
		name            string
		subject, beside func(*testing.B)
	}{
		{"the thousandth page", read(all, unfiltered, thousandth), first},
		{"1,000 selected resources", read(some, unfiltered, "first=25"), first},
		{"1,000 selected resources, the thousandth page", read(some, unfiltered, thousandth), read(all, unfiltered, thousandth)},
		{"1,000 selected resources, what is new", read(some, fresh, "first=25"), read(all, fresh, "first=25")},
		{"1,000 selected resources, the tabs", tabs(some), tabs(all)},
	} {
		b.Run(c.name, func(b *testing.B) { compare(b, c.subject, c.beside) })
	}
	// A move of a thousand targets is set right in every count.
	pgtest.Exec(b, pool, `UPDATE core_moderation_targets SET scope_id = 'c7' WHERE target_id::int % 100 = 0`)
	pgtest.Exec(b, pool, `VACUUM ANALYZE core_moderation_targets`)
	rebuildAll(b, pool)
	b.Run("1,000 selected resources, 1,000 targets moved", func(b *testing.B) { compare(b, read(some, unfiltered, "first=25"), first) })
}

// compare runs both by turns and reports their medians.
func compare(b *testing.B, subject, beside func(*testing.B)) {
	b.Helper()
	var took, other []time.Duration
	timed := func(f func(*testing.B)) time.Duration {
		start := time.Now()
		f(b)
		return time.Since(start)
	}
	for b.Loop() {
		other = append(other, timed(beside))
		took = append(took, timed(subject))
	}
	median := func(d []time.Duration) float64 { slices.Sort(d); return d[len(d)/2].Seconds() * 1000 }
	b.ReportMetric(median(took), "ms")
	b.ReportMetric(median(other), "beside-ms")
	b.ReportMetric(median(took)/median(other), "ratio")
}
