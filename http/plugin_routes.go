package http

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
)

// Route is a route of a plugin, below /api/{plugin id}/. Docket's middleware applies to it: request
// id, log, metrics, recovery from panics, security headers, CSRF rule, authentication and limits of
// size and time.
type Route struct {
	Method string // GET, POST, PUT, PATCH or DELETE; GET answers HEAD too
	// Path has no slash at its beginning. `{name}` stands for one segment, which
	// r.PathValue returns: "reviews/{id}/score".
	Path   string
	Access Access
	// Serve responds to the request. An error that it returns before it has written anything is
	// handled as Docket's own: a *domain.Error by its code, any other as 500 with the cause in the
	// log. The body it reads is at most 1 MiB.
	Serve func(w http.ResponseWriter, r *http.Request) error
}

// Access is who may call a plugin's route.
type Access int

// Who may call a plugin's route. A token for reading may only GET. A token for moderation may also
// write where the access is Moderators; where it is Guests, its caller counts as a guest.
const (
	SignedIn   Access = iota // any account
	Guests                   // everybody; Caller is nil for a guest
	Moderators               // accounts that may view some reports
	Admins                   // accounts with an admin entry; Serve checks its permissions by Caller
)

// Caller returns who sent the request; nil is a guest.
func Caller(r *http.Request) *permission.Caller { return callerOf(r) }

// PluginRoutes has one plugin's routes.
type PluginRoutes struct {
	PluginID string
	Routes   []Route
}

func (a *PluginRoutes) routes() []route {
	all := make([]route, 0, len(a.Routes))
	for _, rt := range a.Routes {
		all = append(all, route{rt.Method, "/api/" + a.PluginID + "/" + rt.Path, rt.Access.access(), rt.serve})
	}
	return all
}

func (a Access) access() access {
	switch a {
	case Guests:
		return open
	case Moderators:
		return moderator
	case Admins:
		return admin()
	default:
		return signedIn
	}
}

func (rt Route) serve(w http.ResponseWriter, r *http.Request) error {
	for name, value := range mux.Vars(r) {
		decoded, err := url.PathUnescape(value)
		if err != nil {
			return notFound()
		}
		r.SetPathValue(name, decoded)
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := rt.Serve(w, r)
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return domain.Errorf(codePayloadTooLarge, "The body may have at most %d bytes.", maxBody)
	}
	return err
}

var (
	routeMethods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	routePath    = regexp.MustCompile(`^([A-Za-z0-9._~-]+|\{[a-z][A-Za-z0-9]*\})(/([A-Za-z0-9._~-]+|\{[a-z][A-Za-z0-9]*\}))*$`)
	routeVars    = regexp.MustCompile(`\{[^}]*\}`)
)

// CheckRoutes reports every fault of a plugin's routes. taken are the paths of its public content
// API, which a route must not shadow.
func CheckRoutes(routes []Route, taken []string, fault content.FaultFunc) {
	seen := map[string]int{}
	for i, rt := range routes {
		at := fault.At(fmt.Sprintf("Routes[%d]", i))
		if !slices.Contains(routeMethods, rt.Method) {
			at("Method", "the method is one of %s, not %q", strings.Join(routeMethods, ", "), rt.Method)
		}
		if rt.Access < SignedIn || rt.Access > Admins {
			at("Access", "there is no such access")
		}
		if rt.Serve == nil {
			at("Serve", "a route needs its serve function")
		}
		if !validRoutePath(rt.Path) {
			at("Path", "%q is not a path such as reviews/{id}/score", rt.Path)
			continue
		}
		names := routeVars.FindAllString(rt.Path, -1)
		slices.Sort(names)
		if len(slices.Compact(names)) < strings.Count(rt.Path, "{") {
			at("Path", "%q names a part twice", rt.Path)
		}
		key := rt.Method + " " + routeVars.ReplaceAllString(rt.Path, "{}")
		if first, twice := seen[key]; twice {
			at("Path", "%s %s is also Routes[%d]", rt.Method, rt.Path, first)
			continue
		}
		seen[key] = i
		first, _, _ := strings.Cut(rt.Path, "/")
		if rt.Method == http.MethodGet && len(taken) > 0 && (first[0] == '{' || slices.Contains(taken, first)) {
			at("Path", "%q hides the public content of the plugin's own types", rt.Path)
		}
	}
}

// validRoutePath refuses the segments . and .., which clients remove from paths.
func validRoutePath(path string) bool {
	segments := strings.Split(path, "/")
	return routePath.MatchString(path) && !slices.Contains(segments, ".") && !slices.Contains(segments, "..")
}
