package cmd

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/content"
)

// pluginConnections is the size of the small pool that plugins use. A command reads
// through it before it takes a connection of the large one, so that it never waits for a
// connection while it holds one.
const pluginConnections = 6

// withServer opens the database and runs work on a server wired over it, with the
// plugins of the sources and of the manifests.
func (a *app) withServer(ctx context.Context, cfg *Config, o serveOptions, sources []Source, work func(context.Context, *server) error) (err error) {
	log := cfg.logger(a.stderr)
	tracing, stopTracing, err := cfg.tracing(ctx, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	tracer := queryTracer(tracing)
	db, err := openDatabase(ctx, cfg, log, postgres.Options{Tracer: tracer})
	if err != nil {
		return ignoreWhenStopped(ctx, log, err)
	}
	defer func() { err = errors.Join(ignoreWhenStopped(ctx, log, err), db.Close()) }()
	small, err := postgres.Open(ctx, db.URL, postgres.Options{MaxConns: pluginConnections, ApplicationName: "docket plugins", Tracer: tracer})
	if err != nil {
		return err
	}
	defer postgres.Close(small)
	plugins, err := a.makePlugins(ctx, small, log, sources...)
	if err != nil {
		return err
	}
	for _, m := range readManifests(append(cfg.Plugins, o.Plugin...)) {
		plugins = append(plugins, &Plugin{Plugin: *m})
	}
	platforms, err := cfg.platforms(small, log)
	if err != nil {
		return err
	}
	deps := plugin.Deps{Connect: platforms.Connect, Content: content.NewStore(small), Webhooks: &plugin.WebhookSettings{Variable: a.variable, RequireHTTPS: cfg.Production()}}
	registered, err := register(ctx, db.Pool, deps, log, o.Migrate, plugins)
	if err != nil {
		return err
	}
	s, err := newServer(ctx, cfg, db, log, registered, plugins...)
	if err != nil {
		return err
	}
	if err := s.wirePlatforms(platforms); err != nil {
		return err
	}
	s.tracing = tracing
	s.pools = []*pgxpool.Pool{db.Pool, db.Replica, small}
	return work(ctx, s)
}

// register applies or checks the migrations of Docket and of the plugins and registers
// the plugins. Nothing is migrated for plugins that are faulty.
func register(ctx context.Context, pool *pgxpool.Pool, deps plugin.Deps, log zerolog.Logger, migrate bool, made []*Plugin) (*plugin.Registered, error) {
	plugins := registrable(made)
	if err := plugin.Check(plugins...); err != nil {
		if current, _ := allCurrent(ctx, pool, plugins); !current {
			return nil, err // its tables cannot be checked yet
		}
	} else if err := checkMigrations(ctx, pool, log, migrate, plugins...); err != nil {
		return nil, err
	}
	return plugin.Register(ctx, deps, plugins...)
}

// reconnector returns a function that closes the idle connections of the pools. Of
// concurrent calls, as after a failover, one does it for all.
func reconnector(pools ...*pgxpool.Pool) func() {
	var mu sync.Mutex
	var last time.Time
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < 100*time.Millisecond {
			return
		}
		last = time.Now()
		for _, pool := range pools {
			pool.Reset()
		}
	}
}
