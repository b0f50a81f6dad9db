package cmd

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/content"
)

// pluginConnections is the size of the connection pool for plugins. A command uses it before it
// takes a connection of the main pool, so that it never waits for one connection while it holds
// another.
const pluginConnections = 6

// withServer runs work on a server, with the plugins of the sources and of the manifests.
func (a *app) withServer(ctx context.Context, cfg *Config, o serveOptions, sources []Source, work func(context.Context, *Server) error) (err error) {
	log := cfg.logger(a.stderr)
	if a.stderr == io.Writer(os.Stderr) { // not in tests, each of which has its own
		logStandard(log)
	}
	s, err := a.openServer(ctx, cfg, log, o, sources...)
	if err != nil {
		return ignoreWhenStopped(ctx, log, err)
	}
	defer func() { err = errors.Join(ignoreWhenStopped(ctx, log, err), s.Close()) }()
	return work(ctx, s)
}

// logStandard redirects the standard library's log, such as net/http's messages about malformed
// responses, to log. It holds for the whole process.
func logStandard(log zerolog.Logger) {
	slog.SetLogLoggerLevel(slog.LevelWarn)
	slog.SetDefault(slog.New(zerolog.NewSlogHandler(log)))
}

// resources are closed in the reverse of the order in which they were opened.
type resources []func() error

func (r resources) close() (err error) {
	for _, closeOne := range slices.Backward(r) {
		err = errors.Join(err, closeOne())
	}
	return err
}

// openServer opens the database and wires a server over it. The caller must close the server.
func (a *app) openServer(ctx context.Context, cfg *Config, log zerolog.Logger, o serveOptions, sources ...Source) (_ *Server, err error) {
	var opened resources
	defer func() {
		if err != nil {
			err = errors.Join(err, opened.close())
		}
	}()
	tracing, stopTracing, err := cfg.tracing(ctx, log)
	if err != nil {
		return nil, err
	}
	opened = append(opened, func() error { stopTracing(); return nil })
	tracer := queryTracer(tracing)
	db, err := openDatabase(ctx, cfg, log, postgres.Options{Tracer: tracer})
	if err != nil {
		return nil, err
	}
	opened = append(opened, db.Close)
	small, err := postgres.Open(ctx, db.URL, postgres.Options{MaxConns: pluginConnections, ApplicationName: "docket plugins", Tracer: tracer})
	if err != nil {
		return nil, err
	}
	opened = append(opened, func() error { postgres.Close(small); return nil })
	made, err := a.makePlugins(ctx, small, log, sources...)
	if err != nil {
		return nil, err
	}
	plugins := append(declarations(made), readManifests(append(cfg.Plugins, o.Plugin...))...)
	platforms, told, err := cfg.platforms(small, log)
	if err != nil {
		return nil, err
	}
	deps := registry.Deps{Connect: platforms.Connect, Content: content.NewStore(small), Webhooks: &registry.WebhookSettings{Variable: a.variable, RequireHTTPS: cfg.Production()}}
	registered, err := register(ctx, db.Pool, deps, log, o.Migrate, plugins)
	if err != nil {
		return nil, err
	}
	for _, note := range append(registry.Unlabelled(plugins...), registry.Ungranted(plugins...)...) {
		log.Warn().Str("note", note.String()).Msg("a plugin has no fault, and lacks something")
	}
	s, err := newServer(ctx, cfg, db, log, registered, plugins, pluginAreas(made))
	if err != nil {
		return nil, err
	}
	if err := s.wirePlatforms(ctx, platforms, told); err != nil {
		return nil, err
	}
	s.tracing, s.opened = tracing, opened
	s.reconnector.Pools = []*pgxpool.Pool{db.Pool, db.Replica, small}
	return s, nil
}

// register applies or checks the migrations of Docket and of the plugins and registers the plugins.
// It applies none if a plugin is faulty.
func register(ctx context.Context, pool *pgxpool.Pool, deps registry.Deps, log zerolog.Logger, migrate bool, plugins []*registry.Declaration) (*registry.Registered, error) {
	if err := registry.Check(plugins...); err != nil {
		if current, _ := allCurrent(ctx, pool, plugins); !current {
			return nil, err // its tables cannot be checked yet
		}
	} else if err := checkMigrations(ctx, pool, log, migrate, plugins...); err != nil {
		return nil, err
	}
	return registry.Register(ctx, deps, plugins...)
}
