package http

import (
	"net/http"
	"slices"
	"strings"
)

// corsRoutes are the routes that other sites may call from a browser, below Base.
var corsRoutes = []struct{ method, path string }{
	{http.MethodPost, "/moderation/reports"},
	{http.MethodGet, "/moderation/target-types"},
	{http.MethodGet, "/moderation/policies"},
	{http.MethodGet, "/messages"},
	{http.MethodGet, "/users/decisions"},
}

// withCORS allows the configured origins to call a few routes with a bearer token. Cookies of such
// requests are ignored.
func (s *server) withCORS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, ok := strings.CutPrefix(r.URL.Path, Base)
		if !ok || len(s.CORSOrigins) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		h, origin := w.Header(), r.Header.Get("Origin")
		h.Add("Vary", "Origin")
		asked, preflight := r.Method, false
		if r.Method == http.MethodOptions {
			asked, preflight = r.Header.Get("Access-Control-Request-Method"), true
		}
		if !slices.Contains(s.CORSOrigins, origin) || s.trusted(origin) || !corsAllows(asked, path) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id")
		if preflight {
			h.Set("Access-Control-Allow-Methods", asked)
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		r.Header.Del("Cookie")
		next.ServeHTTP(w, r)
	})
}

func corsAllows(method, path string) bool {
	for _, route := range corsRoutes {
		below := route.path == "/users/decisions" && strings.HasPrefix(path, route.path+"/")
		if method == route.method && (path == route.path || below) {
			return true
		}
	}
	return false
}
