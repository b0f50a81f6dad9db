package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel/trace"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/platform/targetscope"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/live"
)

// defaultLocale is the language of members who ask for none.
const defaultLocale = "en"

// pluginConnections is the size of the small pool that plugins read through, so
// that a command never waits for a connection while it holds one.
const pluginConnections = 6

// service is a running Docket: everything wired together, here and nowhere else.
type service struct {
	cfg     *Config
	log     zerolog.Logger
	db      *Database
	metrics *prometheus.Registry
	tracing trace.TracerProvider // nil: nothing is traced

	registered *plugin.Registered
	accounts   *account.Store
	staff      *staff.Store
	reports    *projections.Reports
	moderation *moderation.Service
	queue      *queue.Queue
	cron       *cron.Cron
	runs       *projections.Runs
	router     *subscribers.Router
	live       *live.Hub
	outward    outward

	// background is what runs beside the HTTP server until it stops.
	background []func(context.Context)
}

// newService wires a service over a migrated database. It starts nothing.
func newService(ctx context.Context, cfg *Config, db *Database, deps plugin.Deps, log zerolog.Logger, plugins ...*plugin.Plugin) (*service, error) {
	s := &service{cfg: cfg, log: log, db: db, metrics: prometheus.NewRegistry(), reports: projections.NewReports(db.Pool)}
	s.metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	var err error
	if s.registered, err = plugin.Register(ctx, deps, plugins...); err != nil {
		return nil, err
	}
	if s.accounts, err = newAccounts(cfg, db.Pool); err != nil {
		return nil, err
	}
	if s.staff, err = staff.New(db.Pool, staff.Config{Catalog: s.registered.Permissions, Scopes: s.registered.Scopes}); err != nil {
		return nil, err
	}
	if err := s.wireLog(ctx, plugins); err != nil {
		return nil, err
	}
	return s, nil
}

// wireLog wires what appends to the log and what follows it: the sealer wakes
// the live feed and the projector, and a commit wakes the sealer and the queue.
func (s *service) wireLog(ctx context.Context, plugins []*plugin.Plugin) (err error) {
	if s.live, err = live.NewHub(s.db.Pool, live.Config{Log: s.log, Metrics: s.metrics}); err != nil {
		return err
	}
	projector := projections.NewProjector(s.db.Pool, s.log, s.metrics, projections.Projections...)
	sealer := eventstore.NewSealer(s.db.Pool, s.log, func(int64) {
		s.live.Wake()
		projector.Wake()
	})
	if err := sealer.Restored(ctx); err != nil {
		return err
	}
	if s.queue, err = queue.New(s.db.Pool, queue.Config{Log: s.log}); err != nil {
		return err
	}
	if err := s.wireRuns(projector); err != nil {
		return err
	}
	listeners, err := s.wireOutward()
	if err != nil {
		return err
	}
	for _, p := range plugins {
		listeners = append(listeners, p.Listeners...)
		for _, t := range p.Tasks {
			run := func(ctx context.Context, a queue.Attempt) error { return t.Run(ctx, a.Payload) }
			if err := s.queue.Handle(p.ID, t.Name, queue.Handler{Run: run}); err != nil {
				return err
			}
		}
	}
	if s.router, err = subscribers.NewRouter(s.db.Pool, subscribers.Config{Log: s.log, Metrics: s.metrics}, listeners...); err != nil {
		return err
	}
	effects := queue.Effects{Now: time.Now, Wake: s.queue.Wake}
	store := eventstore.New(s.db.Pool, projections.Inline{}, effects, time.Now, sealer.Wake)
	s.moderation = moderation.New(store, s.reports, s.staff, s.registered.Targets, time.Now, defaultLocale)
	s.moderation.Unasked = func(ctx context.Context, err error) { // with the request's id
		zerolog.Ctx(ctx).Warn().Err(err).Msg("a report is shown without its content")
	}
	inProcess := s.cfg.CronAdapter == "inprocess"
	if s.cron, err = cron.New(s.db.Pool, cron.Config{Log: s.log, Adapter: inProcess}, s.jobs(store)...); err != nil {
		return err
	}
	s.background = append(s.background, sealer.Run, projector.Run, s.queue.Run, s.live.Run, s.runRouter)
	if inProcess {
		s.background = append(s.background, s.cron.Run)
	}
	return nil
}

// runRouter delivers events to listeners until ctx ends. A start that fails, as while
// another server rewrites a restored topic, is tried again, at first soon and then
// every five seconds.
func (s *service) runRouter(ctx context.Context) {
	const first, last = 100 * time.Millisecond, 5 * time.Second
	for wait := first; ; wait = min(2*wait, last) {
		err := s.router.Run(ctx)
		if ctx.Err() != nil {
			return
		}
		s.log.Error().Err(err).Dur("wait", wait).Msg("delivering events did not begin")
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// followScopes installs the triggers by which reports follow their content from
// one scope to another. Where the database does not allow them, the scheduled
// job finds out instead.
func (s *service) followScopes(ctx context.Context) {
	for _, c := range s.registered.Content {
		followed, ok := targetscope.ForType(c.PluginID, c.Type)
		if !ok {
			continue
		}
		err := targetscope.Install(ctx, s.db.Pool, followed)
		if err != nil {
			s.log.Warn().Err(err).Str("type", c.Type.ID).Msg("no trigger follows this content's scope: a job learns of moves, 2,000 targets in five minutes")
		}
	}
}

func newAccounts(cfg *Config, pool *pgxpool.Pool) (*account.Store, error) {
	c := account.Config{}
	if cfg.JWKSURL != "" {
		verifier, err := account.NewHostVerifier(account.HostConfig{JWKSURL: cfg.JWKSURL, Issuer: cfg.Issuer, Audience: cfg.Audience})
		if err != nil {
			return nil, err
		}
		c.Host = verifier
	}
	return account.New(pool, c)
}

// shutdownTimeout is how long requests in flight have to finish (contract section 10).
const shutdownTimeout = 8 * time.Second

// serve listens, says where on standard output, and answers until ctx ends;
// then it finishes what is in flight. started is called once it answers.
func (s *service) serve(ctx context.Context, a *app, started func(ctx context.Context, base string) error) (err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	base := s.cfg.BaseURL
	if base == "" {
		base = "http://" + addressOf(listener.Addr())
	}
	baseURL, err := parseBase(base)
	if err != nil {
		return fmt.Errorf("base URL: %w", err)
	}
	if err := s.cron.Register(ctx); err != nil {
		return err
	}
	if err := s.declareWebhooks(ctx); err != nil {
		return err
	}
	s.followScopes(ctx)
	if s.cfg.DefaultCronSecret() {
		s.log.Warn().Msg("CRON_SECRET is not set: anybody who knows the public default can run the scheduled jobs")
	}
	server := http.NewServer(s.handler(baseURL))
	server.RegisterOnShutdown(s.live.Stop)

	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var tasks sync.WaitGroup
	for _, task := range s.background {
		tasks.Go(func() { task(running) })
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(a.stdout, "docket ready %s\n", base)
	s.log.Info().Str("url", base).Msg("serving")

	background := make(chan error, 1)
	if started != nil {
		go func() { background <- started(running, "http://"+listener.Addr().String()) }()
	}
wait:
	for {
		select {
		case <-ctx.Done():
			break wait
		case err = <-failed:
			break wait
		case err = <-background:
			if err != nil {
				break wait
			}
		}
	}
	// What runs beside the requests stops while they finish: together they have
	// the grace that operators are promised.
	stop()
	tasks.Go(s.cron.Close)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if shutdownErr := server.Shutdown(grace); shutdownErr != nil {
		err = errors.Join(err, server.Close())
	}
	tasks.Wait()
	return err
}

// ready answers /readyz.
func (s *service) ready(ctx context.Context) error {
	current, err := migrations.Current(ctx, s.db.Pool)
	if err != nil {
		return err
	}
	if !current {
		return errors.New("migrations are pending: run docket migrate up")
	}
	return nil
}
