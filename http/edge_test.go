package http_test

import (
	"bytes"
	"context"
	"errors"
	nethttp "net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

func edge(c http.Config, host, forwarded, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(nethttp.MethodGet, path, nil)
	r.Host = host
	if forwarded != "" {
		r.Header.Set("X-Forwarded-For", forwarded)
	}
	w := httptest.NewRecorder()
	http.New(c, http.SessionArea{}).ServeHTTP(w, r)
	return w
}

func TestAForeignHostIsRefusedOutsideProduction(t *testing.T) {
	t.Parallel()
	c := http.Config{BaseURL: &url.URL{Scheme: "http", Host: "Docket.test:8080"}, Log: zerolog.Nop()}
	for host, want := range map[string]int{
		"docket.test": 200, "DOCKET.TEST:1": 200, "localhost:8080": 200, "api.localhost": 200, "127.0.0.1": 200, "127.9.9.9:80": 200, "[::1]:8080": 200,
		"evil.test": 421, "docket.test.evil.test": 421, "192.168.0.7:8080": 421, "[fe80::1]:80": 421, "": 421, "localhost.evil.test": 421, "127.0.0.1.nip.io": 421,
	} {
		for _, path := range []string{http.Base + "/users/session", "/healthz"} {
			require.Equal(t, want, edge(c, host, "", path).Code, "%q %s", host, path)
		}
	}
	c.Production = true
	require.Equal(t, 200, edge(c, "evil.test", "", "/healthz").Code, "the proxy in front decides")
}

func TestBrowsersAreToldToUseHTTPSInProduction(t *testing.T) {
	t.Parallel()
	c := http.Config{Log: zerolog.Nop()}
	require.Empty(t, edge(c, "x", "", "/healthz").Header().Get("Strict-Transport-Security"))
	c.Production = true
	require.Contains(t, edge(c, "x", "", "/healthz").Header().Get("Strict-Transport-Security"), "max-age=31536000")
}

func TestAnUndeclaredProxyIsTold(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := http.Config{Log: zerolog.New(&log).Level(zerolog.WarnLevel)}
	api := http.New(c, http.SessionArea{})
	for range 3 {
		r := httptest.NewRequest(nethttp.MethodGet, "/healthz", nil)
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		api.ServeHTTP(httptest.NewRecorder(), r)
	}
	require.Equal(t, 1, strings.Count(log.String(), "DOCKET_TRUSTED_PROXIES"), "once a minute")
	require.NotContains(t, log.String(), "203.0.113.9", "anybody may have written it")

	log.Reset()
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} // httptest's peer
	edge(c, "x", "203.0.113.9", "/healthz")
	require.Empty(t, log.String())
}

func TestMetricsMayHaveAListenerOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		c := http.Config{Log: zerolog.Nop(), Metrics: prometheus.NewRegistry(), PrivateMetrics: true}
		require.Equal(t, 404, edge(c, "x", "", path).Code)
	}
	private := http.NewMetricsHandler(prometheus.NewRegistry())
	for path, want := range map[string]int{"/metrics": 200, "/debug/pprof/": 200, "/debug/pprof/heap": 200, "/debug/pprof/cmdline": 200, "/": 404} {
		w := httptest.NewRecorder()
		private.ServeHTTP(w, httptest.NewRequest(nethttp.MethodGet, path, nil))
		require.Equal(t, want, w.Code, path)
	}
}

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
