package http_test

import (
	nethttp "net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/docketmod/docket/http"
)

func TestWhoseTraceGoesOn(t *testing.T) {
	t.Parallel()
	const theirs = "0af7651916cd43dd8448eb211c80319c"
	proxy := []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")}
	cases := []struct {
		name, path, peer string
		spans            []string
		goesOn           bool
	}{
		{"a trusted proxy's", "/api/@platform/core/openapi.json", "10.0.0.1:1234", []string{"GET /api/@platform/core/openapi.json"}, true},
		{"nobody else's", "/api/@platform/core/openapi.json", "10.0.0.2:1234", []string{"GET /api/@platform/core/openapi.json"}, false},
		{"no path's name", "/api/@platform/core/whatever", "10.0.0.2:1234", []string{"GET"}, false},
		{"no probe", "/healthz", "10.0.0.1:1234", nil, false},
		{"no feed", "/api/@platform/core/moderation/live", "10.0.0.1:1234", nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			recorder := tracetest.NewSpanRecorder()
			provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
			api := http.New(http.Config{Log: zerolog.Nop(), Tracing: provider, TrustedProxies: proxy}, http.Description{})
			r := httptest.NewRequest(nethttp.MethodGet, c.path, nil)
			r.RemoteAddr = c.peer
			r.Header.Set("Traceparent", "00-"+theirs+"-b7ad6b7169203331-01")

			api.ServeHTTP(httptest.NewRecorder(), r)

			var names []string
			for _, span := range recorder.Ended() {
				names = append(names, span.Name())
				require.Equal(t, c.goesOn, span.SpanContext().TraceID().String() == theirs)
			}
			require.Equal(t, c.spans, names)
		})
	}
}
