package live

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

func (h *Hub) addMetrics(metrics prometheus.Registerer) {
	metric := promauto.With(metrics)
	h.open = metric.NewGauge(prometheus.GaugeOpts{Name: "docket_live_connections", Help: "Open live feeds."})
	h.dropped = metric.NewCounter(prometheus.CounterOpts{Name: "docket_live_dropped_total", Help: "Live feeds dropped because the client was too slow."})
}
