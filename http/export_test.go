package http

import "net/http"

// TableRoute is a line of the route table as tests see it.
type TableRoute struct {
	Method string
	Path   string // whole, as the router has it
}

// Table lists the routes of an API.
func Table(api http.Handler) []TableRoute {
	var all []TableRoute
	for _, rt := range api.(*server).table {
		all = append(all, TableRoute{rt.method, rt.fullPath()})
	}
	return all
}

// WithAuthenticator returns an API with the same routes and another way to find the caller.
func WithAuthenticator(api http.Handler, a Authenticator) http.Handler {
	s := api.(*server)
	config := s.Config
	config.Authenticator, config.Metrics = a, nil
	return New(config, wired(s.table))
}

// wired is an area with the routes of others.
type wired []route

func (w wired) routes() []route { return w }

// ReplaysAtOnce is how many replays a server works on at once.
func ReplaysAtOnce() int { return replaysAtOnce() }
