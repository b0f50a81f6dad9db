package stores

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// BenchmarkRebuildCounted counts each counted projection anew.
func BenchmarkRebuildCounted(b *testing.B) {
	h, events := logtest.NewLong(b, 12_000)
	for _, p := range statistics.Projections {
		b.Run(p.ID(), func(b *testing.B) {
			for b.Loop() {
				_, err := p.Rebuild(context.Background(), h.Pool, projector.Options{})
				require.NoError(b, err)
			}
			b.ReportMetric(float64(events*int64(b.N))/b.Elapsed().Seconds(), "events/s")
		})
	}
}
