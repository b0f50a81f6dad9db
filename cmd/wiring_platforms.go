package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore"
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

// platformTaskLimit bounds one attempt of a task that asks a platform. A question has at most
// 10 seconds.
const platformTaskLimit = 30 * time.Second

// wirePlatforms makes the queue do the requested actions on content that platforms hold.
func (s *Server) wirePlatforms(platforms *remote.Platforms) error {
	s.platforms = platforms
	for _, p := range s.plugins {
		if len(p.RemoteTypes) == 0 {
			continue
		}
		if err := s.queue.Handle(p.ID, target.RemoteTask, queue.Handler{Limit: platformTaskLimit, Run: s.doRequested}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) doRequested(ctx context.Context, a queue.Attempt) error {
	var p target.RemotePayload
	if err := json.Unmarshal(a.Payload, &p); err != nil {
		return queue.Permanent(fmt.Errorf("payload: %w", err))
	}
	err := s.moderation.DoRequested(ctx, requests{s}, p, a.Last, s.tellActor)
	if errors.Is(err, moderation.ErrNoRequest) {
		return queue.Permanent(err)
	}
	return err
}

// tellActor writes a notice to the moderator whose action failed.
func (s *Server) tellActor(ctx context.Context, tx pgx.Tx, asked report.Event, _ string) error {
	if asked.ActorID == nil {
		return nil
	}
	return s.delivery.notices.TellActor(ctx, tx, *asked.ActorID, asked.ReportID, asked.ID)
}

// requests implements moderation.Requests.
type requests struct{ *Server }

func (r requests) Load(ctx context.Context, reportID string) ([]report.Event, error) {
	return eventstore.Load(ctx, r.db.Pool, reportID)
}

func (r requests) Names(ctx context.Context, ids []string) (map[string]string, error) {
	return r.accounts.Names(ctx, ids)
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
