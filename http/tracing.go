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

// withTracing makes a span of each request of the API where somebody collects
// them. It stands outside of the router, whose middleware would miss what mux
// and the checks before it refuse. What wraps it says what of a span may leave.
func (s *server) withTracing(next http.Handler) http.Handler {
	if s.Tracing == nil {
		return next
	}
	return otelhttp.NewHandler(next, "request",
		otelhttp.WithTracerProvider(s.Tracing),
		otelhttp.WithMeterProvider(metricnoop.NewMeterProvider()), // /metrics has them
		otelhttp.WithPropagators(propagation.TraceContext{}),
		otelhttp.WithPublicEndpointFn(s.outsideTrace),
		otelhttp.WithFilter(traced),
	)
}

// outsideTrace says that the request's trace is none that ours may become a part
// of: only a trusted proxy decides which traces are kept.
func (s *server) outsideTrace(r *http.Request) bool {
	peer, ok := parseAddress(r.RemoteAddr)
	return !ok || !contains(s.TrustedProxies, peer)
}

// traced leaves out the panel's files and probes, and the live feed: a span is
// sent when it ends, and a feed may last for days.
func traced(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") && r.URL.Path != Base+"/moderation/live"
}

// RequestIDKey is the attribute of a span that leads to the request's log lines.
const RequestIDKey = attribute.Key("docket.request_id")

// nameSpan names the request's span, if there is one, by the route: a path
// would hold ids.
func nameSpan(w http.ResponseWriter, r *http.Request, rt route) {
	span := trace.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return
	}
	span.SetName(rt.method + " " + rt.fullPath())
	span.SetAttributes(attribute.String("http.route", rt.fullPath()), RequestIDKey.String(w.Header().Get("X-Request-Id")))
}
