package http

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// route is one line of the API's route table. The router, the 405 answers, the check of the
// OpenAPI document (openapi/, a file an area) and the test of who may call what are all made
// from this table.
type route struct {
	method string
	path   string // below Base, or absolute when it begins with `/api/` or is outside the API
	access access
	handle handler
}

// handler answers a request or returns the error that errors.go answers with.
type handler func(w http.ResponseWriter, r *http.Request) error

// access is who may call a route at all. The use case decides what the caller may do.
type access struct {
	level accessLevel
	admin []permission.Area // one of which is enough; none: any admin entry
	// moderation marks the routes that tokens of use `moderate` may write to.
	moderation bool
	// host marks the routes that tokens of use `host` may call.
	host bool
	// long marks routes that set their own time limit.
	long bool
}

type accessLevel int

const (
	levelOpen      accessLevel = iota // also guests
	levelSignedIn                     // any account
	levelModerator                    // a moderator entry that may view reports somewhere
	levelAuditor                      // a moderator, or an admin who may audit
	levelAdmin                        // an admin entry that may enter one of the areas
	levelExempt                       // the route has a check of its own and no account
)

// The kinds of access.
var (
	open      = access{level: levelOpen}
	signedIn  = access{level: levelSignedIn}
	reporter  = access{level: levelSignedIn, moderation: true, host: true}
	moderator = access{level: levelModerator, moderation: true}
	auditor   = access{level: levelAuditor, moderation: true}
	exempt    = access{level: levelExempt}
)

// admin is the access of those who may enter one of the admin areas.
func admin(areas ...permission.Area) access { return access{level: levelAdmin, admin: areas} }

// withOwnTimeout is the access to a route that sets its own time limit.
func (a access) withOwnTimeout() access {
	a.long = true
	return a
}

func (s *server) newRouter(areas []Area) *mux.Router {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for _, area := range areas {
		for _, rt := range area.routes() {
			s.table = append(s.table, rt)
			methods := []string{rt.method}
			if rt.method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
			name, handler := rt.method+" "+rt.path, s.serve(rt)
			router.Handle(rt.fullPath(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				routeOf(r).name = name
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
		caller, err := s.authenticate(postgres.Untracked(r.Context()), credentials)
		// On an open route, the sender of a token that is bad or not for this use is a guest.
		// A database error is an error.
		if err != nil && (rt.access.level != levelOpen || domain.ErrorCode(err) != domain.CodeUnauthorized) {
			return err
		}
		if rt.access.level == levelOpen && rt.access.exceeded(caller, r.Method) != nil {
			caller = nil
		}
		if err := rt.access.admit(caller, r.Method); err != nil {
			return err
		}
		if err := checkQuery(r); err != nil {
			return err
		}
		return rt.handle(w, r.WithContext(withCredentials(withCaller(r.Context(), caller), credentials)))
	}))
}

// admit returns why the caller may not call the route, or nil. A guest is told 401 first,
// then a lack of a staff entry comes before a lack of permission.
func (a access) admit(c *permission.Caller, method string) error {
	if c != nil && c.Use == permission.UseHost && !a.host {
		return forbidden("This token may only file reports.")
	}
	if a.level == levelOpen {
		return nil
	}
	if c == nil {
		return unauthorized()
	}
	if err := a.exceeded(c, method); err != nil {
		return err
	}
	switch a.level {
	case levelAuditor:
		if !moderation.MayAudit(c) {
			return admitModerator(c)
		}
	case levelModerator:
		return admitModerator(c)
	case levelAdmin:
		if len(a.admin) == 0 {
			return admitAdmin(c)
		}
		if !slices.ContainsFunc(a.admin, c.Admin.MayEnter) {
			return forbidden("You need the admin permission " + string(a.admin[0]) + ".")
		}
	}
	return nil
}

// exceeded returns an error if the request is more than the caller's token may be used for.
func (a access) exceeded(c *permission.Caller, method string) error {
	read := method == http.MethodGet || method == http.MethodHead
	switch {
	case c == nil || read:
		return nil
	case c.Use == permission.UseRead:
		return forbidden("This token may only read.")
	case c.Use == permission.UseModerate && !a.moderation:
		return forbidden("This token may only be used for moderation.")
	}
	return nil
}

func admitAdmin(c *permission.Caller) error {
	if c.Admin == nil {
		return forbidden("You are not an administrator.")
	}
	return nil
}

func admitModerator(c *permission.Caller) error {
	if c.Moderator == nil {
		return forbidden("You are not a moderator.")
	}
	if !c.Moderator.HasAnywhere(permission.ViewReports) {
		return forbidden("You may not view reports.")
	}
	return nil
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
