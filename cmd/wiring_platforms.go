package cmd

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
)

// platforms returns what connects plugins to the platforms that hold their content.
func (c *Config) platforms(pool *pgxpool.Pool, log zerolog.Logger) (*remote.Platforms, error) {
	accounts, err := newAccounts(c, pool)
	if err != nil {
		return nil, err
	}
	return remote.New(remote.Settings{
		Log: log, AllowPrivate: c.WebhookAllowPrivate, Locale: defaultLocale,
		Subject: func(ctx context.Context, pluginID, userID string) (string, error) {
			return accounts.Subject(ctx, userID, account.PluginIssuer(pluginID), c.Issuer)
		},
	}), nil
}

// wirePlatforms makes the queue do the requested actions on content that platforms hold.
func (s *Server) wirePlatforms(platforms *remote.Platforms) error {
	s.platforms = platforms
	for _, p := range s.plugins {
		if len(p.RemoteTypes) == 0 {
			continue
		}
		if err := s.queue.Handle(p.ID, target.RemoteTask, queue.Handler{Limit: platformTaskLimit, Run: queue.Decoded(s.doRequested)}); err != nil {
			return err
		}
	}
	return nil
}

// platformHealth is how the platforms have answered this server.
func (s *Server) platformHealth() []remote.Health {
	if s.platforms == nil {
		return nil
	}
	var all []remote.Health
	for _, p := range s.platforms.All() {
		all = append(all, p.Health())
	}
	return all
}
