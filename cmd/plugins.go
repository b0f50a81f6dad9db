package cmd

import (
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/queue"
)

// Source makes a plugin in Go. It is called once, before migrations are applied, so it
// touches no table; what it returns may use the host as long as the server runs.
type Source func(ctx context.Context, host Host) (*Plugin, error)

// Plugin is what a Go plugin declares: what a manifest can declare, functions, and routes of its
// own.
type Plugin struct {
	plugin.Plugin
	Routes []Route
}

// Route is a route of a plugin below /api/{plugin id}/: a Method, a Path such as reviews/{id}, the
// Access, and Serve, which answers. `go doc github.com/docketmod/docket/http.Route` lists them.
type Route = http.Route

// Caller returns who sent a request to a route; nil is a guest. Moderators also admits moderators of
// other plugins, so such a route must check the caller's permission for its own content:
//
//	here := scope.Resource{Family: "photos.album", ID: album} // the zero Resource without a family
//	if !cmd.Caller(r).Moderator.Covers("photos", "photos", "can_view_reports", here) {
//		return domain.NotFound()
//	}
func Caller(r *nethttp.Request) *permission.Caller { return http.Caller(r) }

// Who may call a route. A token of use `read` may only GET. A token of use `moderate` may also write
// where the access is Moderators; where it is Guests, it counts as a guest.
const (
	SignedIn   = http.SignedIn   // any account; the default
	Guests     = http.Guests     // everybody
	Moderators = http.Moderators // accounts that may view some reports
	Admins     = http.Admins     // accounts with an admin entry
)

// Task is work to enqueue with Host.Enqueue: a Name and a Payload, which is encoded as JSON. After
// the commit, the plugin's plugin.Task of the same name runs it. One that calls out over the network
// has the Queue "outbound". `go doc github.com/docketmod/docket/platform/queue.Task` lists the other
// fields.
type Task = queue.Task

// Host is what Docket provides to a plugin.
type Host struct {
	// Pool is for the plugin's own reads and writes. It is small and shared by all plugins: release
	// connections quickly.
	Pool *pgxpool.Pool
	Log  zerolog.Logger
	Now  func() time.Time
	// Env returns an environment variable; "" when it is not set.
	Env func(name string) string

	pluginID *string // known once the source has returned
}

// Enqueue adds a task of the plugin within tx, so that it runs if tx commits. The task's
// PluginID is set by Enqueue.
func (h Host) Enqueue(ctx context.Context, tx pgx.Tx, task Task) error {
	if h.pluginID == nil || *h.pluginID == "" {
		return errors.New("enqueue: the source of the plugin has not returned yet")
	}
	task.PluginID = *h.pluginID
	return queue.EnqueueTx(ctx, tx, task)
}

// makePlugins calls the sources. The plugins use pool.
func (a *app) makePlugins(ctx context.Context, pool *pgxpool.Pool, log zerolog.Logger, sources ...Source) ([]*Plugin, error) {
	var made []*Plugin
	var faults []error
	for i, source := range sources {
		id := new(string)
		host := Host{Pool: pool, Log: log, Now: time.Now, Env: a.variable, pluginID: id}
		p, err := callSource(ctx, source, host)
		if err != nil {
			faults = append(faults, fmt.Errorf("plugin source %d of %d: %w", i+1, len(sources), err))
			continue
		}
		*id = p.ID
		made = append(made, p)
	}
	return made, errors.Join(faults...)
}

func callSource(ctx context.Context, source Source, host Host) (p *Plugin, err error) {
	if source == nil {
		return nil, errors.New("it is nil")
	}
	err = call.Safely("source", "plugin", func() (err error) {
		if p, err = source(ctx, host); err == nil && p == nil {
			err = errors.New("it returned no plugin")
		}
		return err
	})
	return p, err
}

// variable returns an environment variable.
func (a *app) variable(name string) string { return a.environment[name] }

// Check returns every fault of the plugins that can be found without a database, one a line, or
// nil. A server checks the same when it starts.
func Check(plugins ...*Plugin) error { return registry.Check(declarations(plugins)...) }

// declarations returns the plugins' declarations, with the faults of their routes.
func declarations(plugins []*Plugin) []*registry.Declaration {
	all := make([]*registry.Declaration, len(plugins))
	for i, p := range plugins {
		all[i] = &registry.Declaration{Plugin: p.Plugin}
		var taken []string
		for _, t := range p.ContentTypes {
			if t.PublicAPI != nil {
				taken = append(taken, t.PublicAPI.Path)
			}
		}
		http.CheckRoutes(p.Routes, taken, content.FaultFunc(all[i].AddFault))
	}
	return all
}
