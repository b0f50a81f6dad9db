package stores

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/scripts/fill/history"
)

// BenchmarkFollowCases applies the last 3,000 events of a history again, in which three authors
// wrote all targets, each with about four reports, and each reporter reported twenty of them.
// The events a second must not fall as the history grows.
func BenchmarkFollowCases(b *testing.B) {
	const events, reportsOfEach = 3000, 20
	for _, reports := range []int{2_000, 40_000} {
		b.Run(fmt.Sprintf("reports=%d", reports), func(b *testing.B) {
			targets := reports/4 + 117 // the events of one batch are about different targets
			d := logtest.New(b)
			reporters, err := history.Accounts(b.Context(), d.Pool, "Reporter", reports/reportsOfEach, d.Clock())
			require.NoError(b, err)
			_, err = history.Log(b.Context(), d.Pool, history.History{Reports: reports, Reporters: reporters, Moderators: d.Users, Start: d.Clock(),
				Reporter: func(i int) int { return i / reportsOfEach },
				Target: func(i int) report.Target {
					return report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprint(i % targets), PermissionModule: "posts"}
				}})
			require.NoError(b, err)
			require.NoError(b, history.Project(b.Context(), d.Pool, func(string, int64, int64) {}))
			d.SQL(b, `UPDATE core_moderation_reports SET snapshot = json_build_object('authors', json_build_array(json_build_object('id', 'writer ' || target_id::int % 3)))`)
			d.SQL(b, `UPDATE core_moderation_report_authors a SET author = r.snapshot -> 'authors' -> 0 ->> 'id' FROM core_moderation_reports r WHERE r.id = a.report_id`)
			_, err = cases.Projection.Rebuild(b.Context(), d.Pool, projector.Options{})
			require.NoError(b, err)
			d.SQL(b, `VACUUM ANALYZE`)
			follower := projector.New(d.Pool, zerolog.Nop(), prometheus.NewRegistry(), cases.Projection)
			again := func() {
				d.SQL(b, `UPDATE core_projections SET position = position - $1 WHERE name = 'cases'`, events)
				require.NoError(b, follower.CatchUp(b.Context()))
			}
			again() // reads the pages
			for b.Loop() {
				again()
			}
			b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
