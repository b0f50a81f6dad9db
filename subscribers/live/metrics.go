package live

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

func (h *Hub) addMetrics() error {
	h.open = prometheus.NewGauge(prometheus.GaugeOpts{Name: "docket_live_connections", Help: "Open live feeds."})
	h.dropped = prometheus.NewCounter(prometheus.CounterOpts{Name: "docket_live_dropped_total", Help: "Live feeds dropped because the client was too slow."})
	if h.config.Metrics == nil {
		return nil
	}
	for _, c := range []prometheus.Collector{h.open, h.dropped} {
		if err := h.config.Metrics.Register(c); err != nil {
			return fmt.Errorf("register live metrics: %w", err)
		}
	}
	return nil
}
