package main

import (
	"context"
	"errors"
	nethttp "net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/http/modcp"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/postgres"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/platform/views"
	"github.com/docketmod/docket/projections"
)

// serveOptions are common to serve and demo.
type serveOptions struct {
	Plugin  []string `help:"Plugin manifests to load beside DOCKET_PLUGINS: files or folders." placeholder:"PATH"`
	Migrate bool     `help:"Apply pending migrations first, as the demo always does."`
}

type serveCommand struct{ serveOptions }

// Run serves until it is told to stop.
func (c *serveCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.serverConfig()
	if err != nil {
		return err
	}
	return a.withService(ctx, cfg, c.serveOptions, nil, func(ctx context.Context, s *service) error {
		demo, err := s.accounts.DemoAccountsExist(ctx)
		if err != nil {
			return err
		}
		if demo && s.cfg.Production() {
			return errors.New("this database holds demo accounts, whose password is public: production needs a database without them")
		}
		return s.serve(ctx, a, nil)
	})
}

// withService opens the database and runs work on a service wired over it.
// prepare, if any, comes between the migrations and the wiring.
func (a *app) withService(ctx context.Context, cfg *Config, o serveOptions, prepare func(context.Context, *pgxpool.Pool) (*plugin.Plugin, error),
	work func(context.Context, *service) error) (err error) {
	log := cfg.logger(a.stderr)
	tracing, stopTracing, err := cfg.tracing(ctx, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	tracer := queryTracer(tracing)
	db, err := openDatabase(ctx, cfg, log, postgres.Options{Tracer: tracer})
	if err != nil {
		return unlessTold(ctx, log, err)
	}
	defer func() { err = errors.Join(unlessTold(ctx, log, err), db.Close()) }()
	if err := checkMigrations(ctx, db, log, o.Migrate); err != nil {
		return err
	}
	plugins := readManifests(append(cfg.Plugins, o.Plugin...))
	small, err := postgres.Open(ctx, db.URL, postgres.Options{MaxConns: pluginConnections, ApplicationName: "docket plugins", Tracer: tracer})
	if err != nil {
		return err
	}
	defer postgres.Close(small)
	if prepare != nil {
		more, err := prepare(ctx, small)
		if err != nil {
			return err
		}
		plugins = append(plugins, more)
	}
	variable := func(name string) string { return a.environment[name] }
	deps := plugin.Deps{Content: content.NewStore(small), Webhooks: &plugin.WebhookSettings{Variable: variable, RequireHTTPS: cfg.Production()}}
	s, err := newService(ctx, cfg, db, deps, log, plugins...)
	if err != nil {
		return err
	}
	s.tracing = tracing
	return work(ctx, s)
}

// unlessTold makes no failure of what a server was stopped at, before it was
// ready too.
func unlessTold(ctx context.Context, log zerolog.Logger, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	log.Warn().Err(err).Msg("told to stop before this was done")
	return nil
}

func checkMigrations(ctx context.Context, db *Database, log zerolog.Logger, migrate bool) error {
	if migrate {
		applied, err := migrations.Up(ctx, db.Pool)
		for _, m := range applied {
			log.Info().Int64("version", m.Version).Str("name", m.Name).Msg("migrated")
		}
		return err
	}
	current, err := migrations.Current(ctx, db.Pool)
	if err != nil {
		return err
	}
	if !current {
		return errors.New("migrations are pending: run docket migrate up, or serve with --migrate")
	}
	return nil
}

// handler is the whole HTTP side.
func (s *service) handler(base *url.URL) nethttp.Handler {
	areas := append([]http.Area{
		http.Description{},
		http.SessionArea{Sessions: s.accounts, BaseURL: base, TrustedProxies: s.cfg.TrustedProxies},
		http.UserArea{Users: s.accounts, Delete: func(ctx context.Context, actorID, userID string) error {
			return s.deleteAccount(ctx, staff.By{UserID: actorID}, userID)
		}},
		&http.Staff{Entries: s.staff, Catalog: s.registered.Permissions, Scopes: s.registered.Scopes, Targets: s.registered.Targets},
		&http.Reports{Moderation: s.moderation, Queries: s.reports},
		&http.Content{Types: s.registered.Content},
		&http.Catalog{Targets: s.registered.Targets, Content: s.registered.Content, Messages: s.registered.Messages, Locale: defaultLocale},
		&http.Views{Store: views.New(s.db.Pool, time.Now)},
		&http.Cron{Jobs: s.cron, Secret: s.cfg.CronSecret},
		&http.Queue{Tasks: s.queue},
		http.Integrations{CronAdapter: s.cfg.CronAdapter != "", Identity: s.cfg.Issuer, Broker: s.outward.broker, Webhooks: s.outward.webhooks.Active},
		&http.Live{Hub: s.live, Authenticator: s.accounts, Authorize: s.moderation.Authorize},
		&http.Stats{Figures: projections.NewStats(s.db.Read), Now: time.Now},
		&http.Projections{Status: func(ctx context.Context) ([]projections.BuildStatus, error) {
			return projections.Status(ctx, s.db.Read, time.Now())
		}, Runs: s.runs},
		&http.Audit{Log: func(ctx context.Context, after int64, r paging.Request) (paging.Page[eventstore.Logged], error) {
			return eventstore.LogPage(ctx, s.db.Read, after, r)
		}},
		&http.Replay{Moderation: s.moderation, Names: s.accounts.Names,
			Events: func(ctx context.Context, id string) ([]report.Event, error) {
				return eventstore.Load(ctx, s.db.Read, id)
			}},
	}, s.outwardAreas()...)
	return http.New(http.Config{
		BaseURL:        base,
		TrustedProxies: s.cfg.TrustedProxies,
		Log:            s.log,
		Metrics:        s.metrics,
		Tracing:        s.tracing,
		Authenticator:  s.accounts,
		Ready:          s.ready,
		Panel:          modcp.Handler(),
	}, areas...)
}
