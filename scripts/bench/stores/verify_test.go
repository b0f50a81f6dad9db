package stores

import (
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// BenchmarkVerify verifies a log of a hundred thousand signed events.
func BenchmarkVerify(b *testing.B) {
	l, events := logtest.NewLong(b, 30_000)
	_, err := projections.Inline{}.Rebuild(b.Context(), l.Pool, projector.Options{Workers: 4})
	require.NoError(b, err)
	for b.Loop() {
		a := &proof.Auditor{Pool: l.Pool, Sealer: eventstore.NewSealer(l.Pool, zerolog.Nop(), func(int64) {}), Keys: []string{l.Key.Public}, Workers: 4}
		audited, err := a.Verify(b.Context())
		require.NoError(b, err)
		require.Zero(b, audited.Findings)
		require.Equal(b, events, audited.Positions)
	}
	b.ReportMetric(float64(events*int64(b.N))/b.Elapsed().Seconds(), "events/s")
}
