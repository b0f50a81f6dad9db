package cmd

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/manifest"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/platform/sealing"
)

// platforms returns the client of the platforms that hold content, and the accounts whose ids it
// sends to them.
func (c *Config) platforms(pool *pgxpool.Pool, log zerolog.Logger) (*remote.Platforms, *account.Store, error) {
	accounts, err := newAccounts(c, pool, ledger.Ledger{})
	if err != nil {
		return nil, nil, err
	}
	return remote.New(remote.Settings{
		Log: log, AllowPrivate: c.WebhookAllowPrivate, Locale: defaultLocale,
		Subject: func(ctx context.Context, pluginID, userID string) (string, error) {
			issuers := []string{account.PluginIssuer(pluginID)}
			if !accounts.HasIssuer(pluginID) { // otherwise an id of the host platform would mean somebody else there
				issuers = append(issuers, c.Issuer)
			}
			return accounts.Subject(ctx, userID, issuers...)
		},
	}), accounts, nil
}

// wirePlatforms registers the plugins' providers and the tasks that send requested actions to
// platforms, and serves the platforms that are connected in the panel.
func (s *Server) wirePlatforms(ctx context.Context, platforms *remote.Platforms, told *account.Store) error {
	s.platforms = platforms
	for _, p := range s.registered.Providers {
		s.providers = append(s.providers, platforms.Provide(p.PluginID, p.Provider, p.Secret))
	}
	for _, p := range s.plugins {
		if len(p.RemoteTypes)+len(p.Providers) == 0 {
			continue
		}
		if err := s.handleRequests(p.ID); err != nil {
			return err
		}
	}
	return s.keepPlatforms(ctx, told)
}

// keepPlatforms serves the platforms that are connected in the panel, besides those of the plugins.
func (s *Server) keepPlatforms(ctx context.Context, told *account.Store) error {
	s.keptManifests = manifest.NewStore(s.db.Pool, s.ledger(), sealing.NewKeys(s.cfg.secrets()))
	_, err := s.keptManifests.SealSecrets(ctx)
	if err != nil {
		return err
	}
	handled := map[string]bool{}
	s.connections, err = manifest.NewConnections(s.keptManifests, registry.NewChangeable(s.registered, s.plugins), s.platforms, manifest.Settings{
		Log: s.log, RequireHTTPS: s.cfg.Production(), AllowPrivate: s.cfg.WebhookAllowPrivate, Issuer: s.cfg.Issuer,
		Changed: func(messages map[string]map[string]string, issuers map[string]account.PlatformIssuer, ids []string) {
			s.delivery.notices.UseMessages(messages)
			s.accounts.AcceptIssuers(issuers)
			told.AcceptIssuers(issuers)
			for _, id := range ids {
				if !handled[id] && !slices.ContainsFunc(s.plugins, func(p *registry.Declaration) bool { return p.ID == id }) {
					handled[id] = s.handleRequests(id) == nil
				}
			}
		},
	})
	if err != nil {
		return err
	}
	s.background = append(s.background, s.connections.Run)
	return s.connections.Refresh(ctx)
}

// handleRequests registers the tasks that send requested actions to a plugin's platform and call its
// providers.
func (s *Server) handleRequests(pluginID string) error {
	if err := s.queue.Handle(pluginID, askTask, queue.Handler{Limit: platformTaskLimit, Run: queue.Decoded(s.askProvider)}); err != nil {
		return err
	}
	return s.queue.Handle(pluginID, target.RemoteTask, queue.Handler{Limit: platformTaskLimit, Run: queue.Decoded(s.doRequested)})
}

// platformHealth returns how platforms and providers of signals have responded to this server.
func (s *Server) platformHealth() []remote.Health {
	if s.platforms == nil {
		return nil
	}
	var all []remote.Health
	for _, p := range s.platforms.All() {
		all = append(all, p.Health())
	}
	return append(all, s.connections.Health()...)
}
