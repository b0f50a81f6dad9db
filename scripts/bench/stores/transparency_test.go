package stores

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/projections/transparency"
)

// BenchmarkTransparency counts a transparency report over the whole of a log. A report over 300,000 reports may
// take a minute.
func BenchmarkTransparency(b *testing.B) {
	const reports = 60_000
	d, _ := logtest.NewLong(b, reports)
	known, err := proof.Verifiers(d.Key.Public)
	require.NoError(b, err)
	store := transparency.New(d.Pool, d.Pool, d.Key, known, time.Now)
	q := queue.New(d.Pool, queue.Config{Poll: 20 * time.Millisecond})
	require.NoError(b, store.Handle(q))
	platformtest.Run(b, q.Run)
	for b.Loop() {
		asked, err := store.Request(b.Context(), d.Clock().AddDate(0, 0, -1), d.Clock().AddDate(0, 0, 30), d.Users[0])
		require.NoError(b, err)
		pgtest.Eventually(b, func() bool {
			found, err := store.Find(b.Context(), asked.ID)
			require.NoError(b, err)
			return found.State == transparency.Done
		}, "the report is counted")
	}
	b.ReportMetric(reports*float64(b.N)/b.Elapsed().Seconds(), "reports/s")
	b.ReportMetric(0, "ns/op")
}
