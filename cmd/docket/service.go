package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/projections"
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

	registered *plugin.Registered
	accounts   *account.Store
	staff      *staff.Store
	reports    *projections.Reports
	moderation *moderation.Service
	sealer     *eventstore.Sealer

	background []func(context.Context)
}

// newService wires a service over a migrated database; plugins read through the
// small pool. It starts nothing.
func newService(ctx context.Context, cfg *Config, db *Database, small *pgxpool.Pool, log zerolog.Logger, plugins ...*plugin.Plugin) (*service, error) {
	s := &service{cfg: cfg, log: log, db: db, metrics: prometheus.NewRegistry(), reports: projections.NewReports(db.Pool)}
	s.metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	var err error
	if s.registered, err = plugin.Register(ctx, plugin.Deps{Content: content.NewStore(small)}, plugins...); err != nil {
		return nil, err
	}
	if s.accounts, err = newAccounts(cfg, db.Pool); err != nil {
		return nil, err
	}
	if s.staff, err = staff.New(db.Pool, staff.Config{Catalog: s.registered.Permissions, Scopes: s.registered.Scopes}); err != nil {
		return nil, err
	}
	s.sealer = eventstore.NewSealer(db.Pool, log, func(int64) {})
	if err := s.sealer.Restored(ctx); err != nil {
		return nil, err
	}
	store := eventstore.New(db.Pool, projections.Inline{}, nil, time.Now, s.sealer.Wake)
	s.moderation = moderation.New(store, s.reports, s.staff, s.registered.Targets, time.Now, defaultLocale)
	s.background = append(s.background, s.sealer.Run)
	return s, nil
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
	listener, err := net.Listen("tcp", s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	base := s.cfg.BaseURL
	if base == "" {
		base = "http://" + listener.Addr().String()
	}
	baseURL, err := url.Parse(base)
	if err != nil {
		return fmt.Errorf("base URL: %w", err)
	}
	server := http.NewServer(s.handler(baseURL))

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
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if shutdownErr := server.Shutdown(grace); shutdownErr != nil {
		err = errors.Join(err, server.Close())
	}
	stop()
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
