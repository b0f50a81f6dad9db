package http

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/mux"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
)

type server struct {
	Config
	http.Handler // the router behind its middleware
	router       *mux.Router
	table        []route
}

// wrap adds the middleware of every request, outermost first: request id and log, tracing, metrics, recovery from
// panics, the warning about undeclared proxies, security headers, the check of the host, CORS, CSRF.
func (s *server) wrap(next http.Handler) http.Handler {
	return s.withRequestID(s.withTracing(s.withMetrics(s.withRecovery(s.withForwardedWarning(s.withSecurityHeaders(s.withHost(s.withCORS(s.withCSRF(next)))))))))
}

// answer runs a handler and writes the error that it returns.
func (s *server) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			if domain.ErrorCode(err) == codePayloadTooLarge {
				// A client that reads no answer before it has sent everything would find a broken connection.
				_, _ = io.CopyN(io.Discard, r.Body, maxDrain)
			}
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

// matchedRoute tells the middleware which route matched, by method and pattern, since logs and
// metrics must not contain the ids of a path.
type matchedRoute struct {
	name       string
	parameters queryParameters
}

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

// begun reports whether a part of the response was written.
func begun(w http.ResponseWriter) bool {
	for {
		if rec, ok := w.(*statusRecorder); ok {
			return rec.wrote
		}
		wrapped, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return false
		}
		w = wrapped.Unwrap()
	}
}

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
