package http

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account"
)

// route is an entry of the API's route table. The router, the 405 responses, the check of the
// OpenAPI document (openapi/, one file per area) and the test of access all use this table.
type route struct {
	method string
	path   string // below Base, or absolute when it begins with `/api/` or is outside the API
	access access
	handle handler
}

// handler responds to a request, or returns an error that errors.go turns into the response.
type handler func(w http.ResponseWriter, r *http.Request) error

// with is a handler that runs h with what read takes from the request. If read fails, the handler
// returns its error.
func with[T any](read func(*http.Request) (T, error), h func(http.ResponseWriter, *http.Request, T) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := read(r)
		if err != nil {
			return err
		}
		return h(w, r, v)
	}
}

// byID runs h with the UUID `id` in the path.
func byID(h func(w http.ResponseWriter, r *http.Request, id string) error) handler {
	return with(func(r *http.Request) (string, error) { return pathID(r, "id") }, h)
}

// holding runs h for moderators who hold the permission on any report.
func holding(needed string, h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !callerOf(r).Moderator.HasAnywhere(needed) {
			return forbidden("You need the permission " + needed + ".")
		}
		return h(w, r)
	}
}

// paged runs h with the page of the list that the request selects.
func paged(l paging.List, h func(http.ResponseWriter, *http.Request, paging.Request) error) handler {
	return with(func(r *http.Request) (paging.Request, error) { return l.Parse(r.URL.Query()) }, h)
}

func (s *server) newRouter(areas []Area) *mux.Router {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	known := documentedParameters()
	for _, area := range areas {
		for _, rt := range area.routes() {
			s.table = append(s.table, rt)
			methods := []string{rt.method}
			if rt.method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
			name, parameters, handler := rt.method+" "+rt.path, known(rt), s.serve(rt)
			router.Handle(rt.fullPath(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				matched := routeOf(r)
				matched.name, matched.parameters = name, parameters
				nameSpan(w, r, rt)
				handler.ServeHTTP(w, r)
			})).Methods(methods...)
		}
	}
	// mux runs no middleware for these two.
	router.NotFoundHandler = s.answer(func(http.ResponseWriter, *http.Request) error { return notFound() })
	router.MethodNotAllowedHandler = s.answer(s.methodNotAllowed)
	return router
}

func (rt route) fullPath() string {
	if strings.HasPrefix(rt.path, "/api/") {
		return rt.path
	}
	return Base + rt.path
}

// serve returns the route's handler behind its access check.
func (s *server) serve(rt route) http.Handler {
	if rt.access.level == levelExempt {
		return s.answer(rt.handle)
	}
	return s.answer(s.repeating(func(w http.ResponseWriter, r *http.Request) error {
		if !rt.access.long {
			ctx, cancel := context.WithTimeout(r.Context(), s.RequestTimeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		credentials := s.readCredentials(r)
		r = r.WithContext(withCredentials(r.Context(), credentials))
		if rt.access.filing {
			return rt.handle(w, r.WithContext(withAdmission(r.Context(), func(f *account.Filing) (*permission.Caller, error) {
				credentials.Filing = f
				return s.admit(rt, r, credentials)
			})))
		}
		caller, err := s.admit(rt, r, credentials)
		if err != nil {
			return err
		}
		return rt.handle(w, r.WithContext(withCaller(r.Context(), caller)))
	}))
}

// admit returns the caller of a request to the route, or an error if they may not call it.
func (s *server) admit(rt route, r *http.Request, c account.Credentials) (*permission.Caller, error) {
	caller, err := s.authenticate(postgres.Untracked(r.Context()), c)
	// On an open route, a caller with an invalid token is a guest. A database error is an error.
	if err != nil && (rt.access.level != levelOpen || domain.ErrorCode(err) != domain.CodeUnauthorized) {
		return nil, err
	}
	caller = rt.access.sender(caller, r.Method)
	if err := rt.access.admit(caller, r.Method); err != nil {
		return nil, err
	}
	return caller, checkQuery(r)
}

// methodNotAllowed lists the methods that the path supports.
func (s *server) methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe := r.Clone(r.Context())
		probe.Method = method
		var match mux.RouteMatch
		if s.router.Match(probe, &match) && match.MatchErr == nil && !slices.Contains(allowed, method) {
			allowed = append(allowed, method)
		}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return methodNotAllowed()
}
