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
)

// route is one line of the API's table; openapi/ describes each, a file an area. The table is the one list of routes:
// the router, the 405 answers, the OpenAPI check and the table test of who may
// call what are all made from it.
type route struct {
	method string
	path   string // below Base, or absolute when it begins with `/api/` or is outside the API
	access access
	handle handler
}

// handler answers a request or returns the error that errors.go answers with.
type handler func(w http.ResponseWriter, r *http.Request) error

// access says who may call a route at all; what the caller may do to the thing
// itself is the use case's to decide.
type access struct {
	level accessLevel
	admin []permission.Area // one of which does
	// moderation marks the routes that a token of use `moderate` may write to.
	moderation bool
	// long marks the routes that bound their time themselves.
	long bool
}

type accessLevel int

const (
	levelOpen      accessLevel = iota // guests too
	levelSignedIn                     // any account
	levelModerator                    // a moderator entry that may view reports somewhere
	levelAuditor                      // that, or an admin who may audit
	levelAdmin                        // an admin entry that may enter one of the areas
	levelExempt                       // no account is looked for: the route has a check of its own
)

// The kinds of access.
var (
	open      = access{level: levelOpen}
	signedIn  = access{level: levelSignedIn}
	reporter  = access{level: levelSignedIn, moderation: true}
	moderator = access{level: levelModerator, moderation: true}
	auditor   = access{level: levelAuditor, moderation: true}
	exempt    = access{level: levelExempt}
)

// admin is the access of whoever may enter one of the admin areas.
func admin(areas ...permission.Area) access { return access{level: levelAdmin, admin: areas} }

// withoutHurry is the access to a route that bounds its time itself.
func (a access) withoutHurry() access {
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
	// The server answers these itself, since mux runs no middleware for them.
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

// serve puts a route's access check before its handler.
func (s *server) serve(rt route) http.Handler {
	if rt.access.level == levelExempt {
		return s.answer(rt.handle)
	}
	return s.answer(func(w http.ResponseWriter, r *http.Request) error {
		if !rt.access.long {
			ctx, cancel := context.WithTimeout(r.Context(), s.RequestTimeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		caller, err := s.authenticate(r)
		// On an open route a bad token makes a guest; an outage makes none.
		if err != nil && (rt.access.level != levelOpen || domain.ErrorCode(err) != domain.CodeUnauthorized) {
			return err
		}
		if err := rt.access.admit(caller, r.Method); err != nil {
			return err
		}
		if err := checkQuery(r); err != nil {
			return err
		}
		return rt.handle(w, r.WithContext(withCaller(r.Context(), caller)))
	})
}

// admit answers in the order of contract 3.3.
func (a access) admit(c *permission.Caller, method string) error {
	if a.level == levelOpen {
		return nil
	}
	if c == nil {
		return unauthorized()
	}
	read := method == http.MethodGet || method == http.MethodHead
	switch {
	case c.Use == permission.UseRead && !read:
		return forbidden("This token may only read.")
	case c.Use == permission.UseModerate && !read && !a.moderation:
		return forbidden("This token may only be used for moderation.")
	}
	switch a.level {
	case levelAuditor:
		if !moderation.Audits(c) {
			return admitModerator(c)
		}
	case levelModerator:
		return admitModerator(c)
	case levelAdmin:
		held := slices.ContainsFunc(a.admin, c.Admin.MayEnter)
		if !held {
			return forbidden("You need the admin permission " + string(a.admin[0]) + ".")
		}
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

// methodNotAllowed names the methods that the path exists under.
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
