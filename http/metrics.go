package http

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// NewMetricsHandler serves /metrics, and the profiles of the running server under /debug/pprof/, on
// a listener for operators only.
func NewMetricsHandler(registry *prometheus.Registry) http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	m.HandleFunc("GET /debug/pprof/", pprof.Index)
	m.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	m.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	m.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	m.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return m
}

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
