package projector_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// history is a database whose reports came about through the log.
type history struct{ *logtest.Database }

func newHistory(t testing.TB) *history {
	t.Helper()
	return &history{logtest.New(t)}
}

// project brings all projections up to the log.
func (h *history) project(t *testing.T) {
	t.Helper()
	h.Seal(t)
	require.NoError(t, projector.New(h.Pool, zerolog.Nop(), prometheus.NewRegistry(), statistics.Projections...).CatchUp(t.Context()))
}
