package projections_test

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// BenchmarkList reads pages of a board of 100,000 reports, the two that it
// compares turn by turn. The ratio of their medians may be 1.2 for the thousandth
// page by cursor beside the first, and 1.5 for a moderator with 1,000 selected
// resources beside one without limits. Reading writes nothing, so that it does not
// matter that the tests' database never syncs.
func BenchmarkList(b *testing.B) {
	pool := pgtest.New(b)
	fill(b, pool, 100_000)
	reports := projections.NewReports(pool)
	all := permission.Coverage{All: true}
	some := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: thousand()}}}

	before, err := reports.List(b.Context(), all, projections.Filter{}, parse(b, "page=999&pageSize=25"))
	require.NoError(b, err)
	thousandth := "first=25&cursor=" + url.QueryEscape(*before.PageInfo.EndCursor)

	read := func(c permission.Coverage, query string) func(b *testing.B) {
		r := parse(b, query)
		return func(b *testing.B) {
			page, err := reports.List(context.Background(), c, projections.Filter{}, r)
			require.NoError(b, err)
			require.Len(b, page.Edges, 25)
		}
	}
	first := read(all, "first=25")
	for _, c := range []struct {
		name    string
		subject func(*testing.B)
	}{
		{"the thousandth page", read(all, thousandth)},
		{"1,000 selected resources", read(some, "first=25")},
		{"1,000 selected resources, the thousandth page", read(some, thousandth)},
	} {
		b.Run(c.name, func(b *testing.B) { compare(b, c.subject, first) })
	}
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
	b.ReportMetric(median(other), "first-ms")
	b.ReportMetric(median(took)/median(other), "ratio")
}
