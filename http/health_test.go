package http_test

import (
	"context"
	"errors"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

// Operations answer as the API does beside a panel, which would take what is left to it.
func TestOperations(t *testing.T) {
	t.Parallel()
	panel := nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) { w.WriteHeader(nethttp.StatusTeapot) })
	serve := func(ready error) nethttp.Handler {
		return http.New(http.Config{Log: zerolog.Nop(), Metrics: prometheus.NewRegistry(), Panel: panel,
			Ready: func(context.Context) error { return ready }}, http.Description{})
	}
	fine, down := serve(nil), serve(errors.New("gone"))
	for _, c := range []struct {
		name   string
		api    nethttp.Handler
		path   string
		status int
		body   string
	}{
		{"alive", fine, "/healthz", 200, `{"status":"ok"}`},
		{"alive without its database", down, "/healthz", 200, `{"status":"ok"}`},
		{"ready", fine, "/readyz", 200, `{"status":"ready"}`},
		{"not ready", down, "/readyz", 503, `{"status":"unavailable"}`},
		{"metrics", fine, "/metrics", 200, ""},
		{"what is left is the panel's", fine, "/healthz/", 418, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			c.api.ServeHTTP(w, httptest.NewRequest(nethttp.MethodGet, c.path, nil))
			require.Equal(t, c.status, w.Code)
			if c.body != "" {
				require.Equal(t, c.body, w.Body.String())
			}
		})
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		w := httptest.NewRecorder()
		fine.ServeHTTP(w, httptest.NewRequest(nethttp.MethodPut, path, nil))
		require.Equal(t, nethttp.StatusMethodNotAllowed, w.Code, path)
		require.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
		require.Contains(t, w.Body.String(), `"error":"method_not_allowed"`)
	}
}
