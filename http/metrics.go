package http

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

func (s *server) withMetrics(next http.Handler) http.Handler {
	if s.Metrics == nil {
		return next
	}
	seconds := promauto.With(s.Metrics).NewHistogramVec(prometheus.HistogramOpts{
		Name: "docket_http_request_seconds", Help: "Time to answer a request, by route and status.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"route", "status"})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		start := time.Now()
		next.ServeHTTP(rec, r)
		seconds.WithLabelValues(routeOf(r).name, strconv.Itoa(rec.status)).Observe(time.Since(start).Seconds())
	})
}
