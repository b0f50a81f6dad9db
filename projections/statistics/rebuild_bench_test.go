package statistics_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// BenchmarkRebuild counts each counted projection anew.
func BenchmarkRebuild(b *testing.B) {
	h, events := logtest.NewLong(b, 12_000)
	for _, p := range statistics.Projections {
		b.Run(p.Name, func(b *testing.B) {
			projector := projector.New(h.Pool, zerolog.Nop(), prometheus.NewRegistry(), p)
			for b.Loop() {
				require.NoError(b, projector.Rebuild(context.Background(), p, nil))
			}
			b.ReportMetric(float64(events*int64(b.N))/b.Elapsed().Seconds(), "events/s")
		})
	}
}
