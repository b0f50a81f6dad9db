package projections_test

import (
	"context"
	_ "embed"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// benchmarkReports is how many reports a benchmark's log holds, of ten events for
// every three.
const benchmarkReports = 12_000

func newLongHistory(b *testing.B) *history {
	d, _ := logtest.NewLong(b, benchmarkReports)
	return &history{d}
}

// foldInSQL is INSERT … SELECT of the same fold, for logs as fill.Log makes them.
//
//go:embed testdata/fold.sql
var foldInSQL string

// BenchmarkRebuildReports makes every row, its notes and its target from the
// events: from nothing, beside INSERT … SELECT of the same fold in plain SQL by
// turns, and once more over rows that are as they should be. What both make is
// the same to the byte.
func BenchmarkRebuildReports(b *testing.B) {
	h := newLongHistory(b)
	ctx := context.Background()
	var sql, anew, forced time.Duration
	for b.Loop() {
		sql += timed(func() {
			_, err := h.Pool.Exec(ctx, foldInSQL)
			require.NoError(b, err)
		})
		want := h.digest(b)
		h.clear(b)
		o := projector.Options{Workers: 4}
		anew += timed(func() {
			done, err := projections.Inline{}.Rebuild(ctx, h.Pool, o)
			require.NoError(b, err)
			require.EqualValues(b, benchmarkReports, done.Rewritten)
		})
		require.Equal(b, want, h.digest(b))
		o.Force = true
		forced += timed(func() {
			done, err := projections.Inline{}.Rebuild(ctx, h.Pool, o)
			require.NoError(b, err)
			require.EqualValues(b, benchmarkReports, done.Rewritten)
			require.Zero(b, done.Wrong)
		})
		require.Equal(b, want, h.digest(b))
		h.clear(b)
	}
	all := float64(benchmarkReports * b.N)
	b.ReportMetric(all/anew.Seconds(), "reports/s")
	b.ReportMetric(all/forced.Seconds(), "forced/s")
	b.ReportMetric(all/sql.Seconds(), "sql/s")
	b.ReportMetric(anew.Seconds()/sql.Seconds(), "ratio")
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func (h *history) clear(b *testing.B) {
	b.Helper()
	_, err := h.Pool.Exec(context.Background(), `TRUNCATE core_moderation_reports, core_moderation_report_notes, core_moderation_targets`)
	require.NoError(b, err)
}

// digest is of everything that is projected inline.
func (h *history) digest(b *testing.B) (all []string) {
	b.Helper()
	for _, rows := range []string{`core_moderation_reports t`, `core_moderation_report_notes t`,
		`(SELECT target_id AS id, plugin_id, target_type, scope_family, scope_id, reported, moved FROM core_moderation_targets) t`} {
		var digest string
		require.NoError(b, h.Pool.QueryRow(context.Background(), `SELECT count(*) || ' ' || md5(string_agg(t::text, E'\n' ORDER BY t.id)) FROM `+rows).Scan(&digest))
		all = append(all, digest)
	}
	return all
}

// BenchmarkVerifyReports compares every report with its events.
func BenchmarkVerifyReports(b *testing.B) {
	h := newLongHistory(b)
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
