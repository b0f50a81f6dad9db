package http

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// withTracing makes a span of each API request if spans are collected. It wraps the router,
// since mux's own middleware misses requests that are refused before a route matches. The
// exporter decides which attributes leave the process.
func (s *server) withTracing(next http.Handler) http.Handler {
	if s.Tracing == nil {
		return next
	}
	return otelhttp.NewHandler(next, "request",
		otelhttp.WithTracerProvider(s.Tracing),
		otelhttp.WithMeterProvider(metricnoop.NewMeterProvider()), // /metrics has these figures
		otelhttp.WithPropagators(propagation.TraceContext{}),
		otelhttp.WithPublicEndpointFn(s.outsideTrace),
		otelhttp.WithFilter(traced),
	)
}

// outsideTrace reports whether the request's trace context must be ignored: only trusted
// proxies may decide which traces are kept.
func (s *server) outsideTrace(r *http.Request) bool {
	peer, ok := parseAddress(r.RemoteAddr)
	return !ok || !contains(s.TrustedProxies, peer)
}

// traced excludes the panel's files, probes, and the live feed: spans are exported when they end,
// and a feed may last for days.
func traced(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") && r.URL.Path != Base+"/moderation/live"
}

// RequestIDKey is the span attribute with the request's id, as in its log lines.
const RequestIDKey = attribute.Key("docket.request_id")

// nameSpan names the request's span, if there is one, after its route, since the path contains ids.
func nameSpan(w http.ResponseWriter, r *http.Request, rt route) {
	span := trace.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return
	}
	span.SetName(rt.method + " " + rt.fullPath())
	span.SetAttributes(attribute.String("http.route", rt.fullPath()), RequestIDKey.String(w.Header().Get("X-Request-Id")))
}
