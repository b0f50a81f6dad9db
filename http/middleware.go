package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/mux"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/http/modcp"
	"github.com/docketmod/docket/platform/account"
)

// SessionCookie is the name of the session's cookie outside production.
const SessionCookie = "docket_session"

// sessionCookie returns the cookie's name. In production it begins with __Host-, so that
// browsers accept it only from this host over https, and no other host of the domain can
// set it.
func sessionCookie(production bool) string {
	if production {
		return "__Host-" + SessionCookie
	}
	return SessionCookie
}

type server struct {
	Config
	http.Handler // the router behind its middleware
	router       *mux.Router
	table        []route
}

type contextKey int

const (
	callerKey contextKey = iota
	credentialsKey
	routeKey
)

func withCaller(ctx context.Context, c *permission.Caller) context.Context {
	return context.WithValue(ctx, callerKey, c)
}

func withCredentials(ctx context.Context, c account.Credentials) context.Context {
	return context.WithValue(ctx, credentialsKey, c)
}

// credentialsOf returns the credentials that came with the request.
func credentialsOf(r *http.Request) account.Credentials {
	c, _ := r.Context().Value(credentialsKey).(account.Credentials)
	return c
}

// callerOf returns who sent the request. It is nil for a guest, whom only routes with the
// access `open` serve.
func callerOf(r *http.Request) *permission.Caller {
	c, _ := r.Context().Value(callerKey).(*permission.Caller)
	return c
}

// coverage returns which reports the caller may view.
func coverage(r *http.Request) permission.Coverage {
	return callerOf(r).Moderator.Coverage(permission.ViewReports)
}

// wrap adds the middleware of every request, outermost first: request id and log, tracing,
// metrics, recovery from panics, security headers, CSRF.
func (s *server) wrap(next http.Handler) http.Handler {
	return s.withRequestID(s.withTracing(s.withMetrics(s.withRecovery(s.withForwardedWarning(s.withSecurityHeaders(s.withHost(s.withCORS(s.withCSRF(next)))))))))
}

// answer runs a handler and writes the error that it returns.
func (s *server) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			writeError(w, r, err)
		}
	})
}

var saneRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func (s *server) withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !saneRequestID.MatchString(id) {
			id = uuid.NewString()
		}
		w.Header().Set("X-Request-Id", id)
		log := s.Log.With().Str("request_id", id).Logger()
		rec := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		start := time.Now()
		matched := &matchedRoute{name: "none"}
		ctx := context.WithValue(log.WithContext(r.Context()), routeKey, matched)
		next.ServeHTTP(rec, r.WithContext(ctx))
		log.Debug().Str("method", r.Method).Str("route", matched.name).Int("status", rec.status).
			Dur("took", time.Since(start)).Msg("request")
	})
}

// matchedRoute tells the middleware which route matched, by method and pattern, since logs
// and metrics must not hold the ids of a path.
type matchedRoute struct{ name string }

// routeOf returns the matched route of a request, for the router to fill in.
func routeOf(r *http.Request) *matchedRoute {
	if m, ok := r.Context().Value(routeKey).(*matchedRoute); ok {
		return m
	}
	return &matchedRoute{}
}

// statusRecorder records the status. Unwrap lets http.ResponseController reach the
// connection, for streams.
type statusRecorder struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (w *statusRecorder) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusRecorder) Write(p []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(p)
}

func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (s *server) withRecovery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p)
				}
				zerolog.Ctx(r.Context()).Error().Bytes("stack", debug.Stack()).Msg("panic")
				writeError(w, r, fmt.Errorf("panic: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func (s *server) withSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if s.Production {
			h.Set("Strict-Transport-Security", hstsAge)
		}
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", modcp.ContentSecurityPolicy)
		if strings.HasPrefix(r.URL.Path, "/api/") {
			h.Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	})
}

// authenticate finds the caller; nil means a guest.
func (s *server) authenticate(ctx context.Context, c account.Credentials) (*permission.Caller, error) {
	if c == (account.Credentials{}) {
		return nil, nil
	}
	return s.Authenticator.Authenticate(ctx, c)
}

// readCredentials reads the cookie and the bearer token of a request.
func (s *server) readCredentials(r *http.Request) account.Credentials {
	var c account.Credentials
	if cookie, err := r.Cookie(sessionCookie(s.Production)); err == nil {
		c.SessionID = cookie.Value
	}
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		c.Bearer = strings.TrimSpace(token)
	}
	return c
}
