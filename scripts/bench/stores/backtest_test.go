package stores

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/backtest"
)

// BenchmarkBacktest runs a condition on words and links over the whole of a log.
func BenchmarkBacktest(b *testing.B) {
	const reports = 60_000
	d, _ := logtest.NewLong(b, reports)
	runs := backtest.New(d.Pool, d.Pool, time.Now)
	when, issues := rule.Parse(`reason == "spam" && (text.matches("(?i)follow(er)?s") || links.exists(l, l.contains("shop"))) && reporter.rejected < 3`)
	require.Empty(b, issues)
	for b.Loop() {
		_, err := runs.Request(b.Context(), when, nil, nil, nil, d.Users[0])
		require.NoError(b, err)
		require.NoError(b, runs.Work(b.Context(), false))
	}
	b.ReportMetric(reports*float64(b.N)/b.Elapsed().Seconds(), "reports/s")
	b.ReportMetric(0, "ns/op")
}
