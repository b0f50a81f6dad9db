package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/http"
)

// serveOptions are common to serve and demo.
type serveOptions struct {
	Plugin  []string `help:"Plugin manifests to load beside DOCKET_PLUGINS: files or folders." placeholder:"PATH"`
	Migrate bool     `help:"Apply pending migrations first, as the demo always does."`
}

type serveCommand struct{ serveOptions }

// Run serves until it receives a stop signal.
func (c *serveCommand) Run(ctx context.Context, a *app) error {
	cfg, err := a.serverConfig()
	if err != nil {
		return err
	}
	return a.withServer(ctx, cfg, c.serveOptions, a.sources, func(ctx context.Context, s *Server) error {
		if err := s.refuseDemoAccounts(ctx); err != nil {
			return err
		}
		return s.serve(ctx, a, nil)
	})
}

// ignoreWhenStopped turns an error after a stop signal into a warning, even if the server was not
// ready yet.
func ignoreWhenStopped(ctx context.Context, log zerolog.Logger, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	log.Warn().Err(err).Msg("told to stop before this was done")
	return nil
}

// serve listens, prints the address on standard output, and answers until ctx ends; then it
// completes the requests in flight. started is called once the server answers.
func (s *Server) serve(ctx context.Context, a *app, started func(ctx context.Context, base string) error) (err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	base, baseURL, err := s.cfg.baseURL(addressOf(listener.Addr()))
	if err != nil {
		return err
	}
	if err := s.prepare(ctx, baseURL); err != nil {
		return err
	}
	web := http.NewServer(s.Handler())
	web.RegisterOnShutdown(s.live.Stop)

	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var tasks sync.WaitGroup
	tasks.Go(func() { s.run(running) })
	failed := make(chan error, 2)
	go func() { failed <- web.Serve(listener) }()
	private, err := s.serveMetrics(ctx, failed)
	if err != nil {
		return errors.Join(err, web.Close())
	}
	defer func() { _ = private.Close() }()
	fmt.Fprintf(a.stdout, "docket ready %s\n", base)
	s.log.Info().Str("url", base).Msg("serving")
	if err := s.printSetupLink(ctx, a.stdout, baseURL); err != nil {
		s.log.Error().Err(err).Msg("no link to make the first administrator")
	}
	if err := a.tellReady(ctx); err != nil {
		s.log.Error().Err(err).Msg("systemd waits until it gives up")
	}

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
	s.drain(ctx, failed)
	stop()
	tasks.Go(s.cron.Close)
	return errors.Join(err, s.finish(web, &tasks))
}

// prepare does what must be done before requests are served: it registers this server's jobs and the
// plugins' webhooks in the database, installs the triggers that record moves between scopes, binds
// accounts, passes on the base address, and lets the queue mail links. It also logs warnings about
// the settings.
func (s *Server) prepare(ctx context.Context, base *url.URL) error {
	if err := s.cron.Register(ctx); err != nil {
		return err
	}
	if err := s.declareWebhooks(ctx); err != nil {
		return err
	}
	if err := s.bindAccounts(ctx); err != nil {
		return err
	}
	s.followScopes(ctx)
	s.base, s.delivery.notices.BaseURL, s.moderation.Base = base, base, base
	if err := s.accounts.ServeAt(base); err != nil {
		return err
	}
	if s.delivery.mail != nil {
		if err := s.accounts.MailLinks(s.queue, s.delivery.mail, base); err != nil {
			return err
		}
	}
	for _, warning := range s.cfg.warnings() {
		s.log.Warn().Msg(warning)
	}
	return nil
}

// tellReady notifies systemd, for Type=notify, that the server answers and has printed its link:
// https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
func (a *app) tellReady(ctx context.Context) error {
	socket := a.variable("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unixgram", socket)
	if err != nil {
		return fmt.Errorf("tell systemd that the server is ready: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("READY=1")); err != nil {
		return fmt.Errorf("tell systemd that the server is ready: %w", err)
	}
	return nil
}
