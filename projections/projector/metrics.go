package projector

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// gauges are the metrics of projections, by id.
type gauges struct{ behind, paused *prometheus.GaugeVec }

// newGauges returns the metrics. If metrics is nil they are not registered.
func newGauges(metrics prometheus.Registerer) gauges {
	metric := promauto.With(metrics)
	return gauges{
		behind: metric.NewGaugeVec(prometheus.GaugeOpts{Name: "docket_projection_behind_events",
			Help: "Sealed events that a projection does not show yet."}, []string{"projection"}),
		paused: metric.NewGaugeVec(prometheus.GaugeOpts{Name: "docket_projection_paused",
			Help: "1 while a projection is paused, because an event cannot be projected."}, []string{"projection"}),
	}
}
