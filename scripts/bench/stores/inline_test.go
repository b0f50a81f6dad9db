// Package stores measures packages that store and project, without HTTP.
package stores

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// benchmarkReports is how many reports a benchmark's log holds, of ten events for
// every three.
const benchmarkReports = 12_000

// BenchmarkRebuildReports makes every row, its notes and its target from the events: from
// nothing, and once more over rows that are as they should be. What both make is the same.
func BenchmarkRebuildReports(b *testing.B) {
	h, _ := logtest.NewLong(b, benchmarkReports)
	var anew, forced time.Duration
	rebuild := func(o projector.Options) time.Duration {
		return timed(func() {
			done, err := projections.Inline{}.Rebuild(context.Background(), h.Pool, o)
			require.NoError(b, err)
			require.EqualValues(b, benchmarkReports, done.Rewritten)
		})
	}
	for b.Loop() {
		pgtest.Exec(b, h.Pool, `TRUNCATE core_moderation_reports, core_moderation_report_notes, core_moderation_targets`)
		anew += rebuild(projector.Options{Workers: 4})
		want := digest(b, h.Pool)
		forced += rebuild(projector.Options{Workers: 4, Force: true})
		require.Equal(b, want, digest(b, h.Pool))
	}
	all := float64(benchmarkReports * b.N)
	b.ReportMetric(all/anew.Seconds(), "reports/s")
	b.ReportMetric(all/forced.Seconds(), "forced/s")
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

// digest is of everything that is projected inline.
func digest(b *testing.B, pool *pgxpool.Pool) (all []string) {
	b.Helper()
	for _, rows := range []string{`core_moderation_reports t`, `core_moderation_report_notes t`,
		`(SELECT target_id AS id, plugin_id, target_type, scope_family, scope_id, reported, moved FROM core_moderation_targets) t`} {
		all = append(all, pgtest.One[string](b, pool, `SELECT count(*) || ' ' || md5(string_agg(t::text, E'\n' ORDER BY t.id)) FROM `+rows))
	}
	return all
}

// BenchmarkVerifyReports compares every report with its events.
func BenchmarkVerifyReports(b *testing.B) {
	h, _ := logtest.NewLong(b, benchmarkReports)
	o := projector.Options{Workers: 4}
	_, err := projections.Inline{}.Rebuild(context.Background(), h.Pool, o)
	require.NoError(b, err)
	for b.Loop() {
		done, err := projections.Inline{}.Verify(context.Background(), h.Pool, o)
		require.NoError(b, err)
		require.Zero(b, done.Wrong)
	}
	b.ReportMetric(float64(benchmarkReports*b.N)/b.Elapsed().Seconds(), "reports/s")
}
