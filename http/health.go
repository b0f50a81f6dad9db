package http

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/http/apidocs"
)

// withOperations serves /healthz, /readyz and /metrics, for operators and without a session. It
// passes other requests to the API or the control panel.
func (s *server) withOperations(api http.Handler) http.Handler {
	m := http.NewServeMux()
	operation := func(path string, h http.Handler) {
		m.Handle("GET "+path, h)
		m.Handle(path, s.answer(func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Allow", "GET, HEAD")
			return methodNotAllowed()
		}))
	}
	operation("/healthz", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	}))
	operation("/readyz", http.HandlerFunc(s.readyz))
	switch {
	case s.PrivateMetrics:
		m.Handle("/metrics", s.answer(func(http.ResponseWriter, *http.Request) error { return notFound() }))
	case s.Metrics != nil:
		operation("/metrics", promhttp.HandlerFor(s.Metrics, promhttp.HandlerOpts{}))
	}
	if s.Panel != nil {
		m.Handle("/", s.Panel)
	} else {
		m.Handle("/", api)
	}
	docs := apidocs.Handler()
	// ServeMux would redirect unclean paths, which the API answers with 404.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == apidocs.Path || strings.HasPrefix(r.URL.Path, apidocs.Assets) {
			docs.ServeHTTP(w, r)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			r.URL.RawPath = plainPath(r.URL.RawPath)
			api.ServeHTTP(w, r)
			return
		}
		m.ServeHTTP(w, r)
	})
}

// plainPath decodes needless escapes in a path, such as that of @, which some clients send. The
// router compares raw paths, but RFC 3986 section 6.2.2.2 makes both forms equal. An escaped slash
// stays.
func plainPath(sent string) string {
	segments := strings.Split(sent, "/")
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			segments[i] = url.PathEscape(plain)
		}
	}
	return strings.Join(segments, "/")
}

// readyTimeout bounds the readiness check of the database.
const readyTimeout = 3 * time.Second

func (s *server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if s.Ready != nil {
		if err := s.Ready(ctx); err != nil {
			zerolog.Ctx(r.Context()).Warn().Err(err).Msg("not ready")
			w.Header().Set("Retry-After", strconv.Itoa(retryUnavailable))
			_ = writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "unavailable"})
			return
		}
	}
	_ = writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
