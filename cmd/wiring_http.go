package cmd

import (
	"context"
	nethttp "net/http"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/http/modcp"
	"github.com/docketmod/docket/platform/mute"
	"github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/platform/rule"
	"github.com/docketmod/docket/platform/views"
	"github.com/docketmod/docket/projections/statistics"
)

// Handler serves the API and the control panel. It must be called at most once.
func (s *Server) Handler() nethttp.Handler {
	areas := slices.Concat(s.areas, []http.Area{
		http.Description{},
		http.Embed{},
		&http.Staff{Entries: s.staff, Catalog: s.registered.Permissions, Scopes: s.registered.Scopes, Targets: s.registered.Targets},
		&http.Reports{Filers: s.accounts, Moderation: s.moderation, Queries: s.reports},
		&http.Signals{Moderation: s.moderation},
		&http.Cases{Moderation: s.moderation, Queries: s.reports},
		&http.Content{Types: s.registered.Content},
		&http.Catalog{Targets: s.registered.Targets, Content: s.registered.Content, Messages: s.delivery.notices.Messages, Locale: defaultLocale},
		&http.Reporters{Mutes: mute.New(s.db.Pool, s.ledger(), s.staff), Queries: s.reports},
		&http.Team{Online: s.accounts.Online, Queries: s.reports},
		&http.Digests{Store: s.digests},
		&http.Views{Store: views.New(s.db.Pool, time.Now)},
		&http.Authors{Queries: s.reports},
		&http.Held{Moderation: s.moderation, Queries: s.reports},
		&http.Appeals{Moderation: s.moderation, Queries: s.reports},
		&http.Seconds{Moderation: s.moderation, Store: s.seconds, Queries: s.reports},
		&http.Quality{Store: quality.New(s.db.Pool, s.ledger())},
		&http.Decisions{Moderation: s.moderation, Queries: s.reports},
		&http.Measures{Moderation: s.moderation, Queries: s.reports},
		&http.Policies{Store: policy.New(s.db.Pool, s.ledger())},
		&http.Rules{Store: rule.New(s.db.Pool, s.ledger()), Pool: s.db.Pool, Backtests: s.backtests, Titles: s.reports.Titles},
		&http.Holds{Store: s.holds()},
		&http.Cron{Jobs: s.cron, Secret: s.cfg.CronSecret, DefaultSecret: s.cfg.DefaultCronSecret()},
		&http.Queue{Tasks: s.queue},
		&http.Platforms{Connections: s.connections, Store: s.keptManifests},
		http.Integrations{CronAdapter: s.cfg.CronAdapter != "", Identity: s.cfg.Issuer, Broker: s.delivery.broker, Webhooks: s.delivery.webhooks.Active, Platforms: s.platformHealth},
		s.system(),
		&http.Live{Hub: s.live, Authenticator: s.accounts, Authorize: s.moderation.Authorize},
		&http.Stats{Figures: statistics.NewReader(s.db.Reads), Seconds: s.seconds, Now: time.Now, Passes: s.reports.Passes},
		&http.Projections{Log: s.db.Reads, Runs: s.runs},
		&http.Audit{Log: s.db.Reads, Names: s.accounts.Names},
		&http.Replay{Moderation: s.moderation, Names: s.accounts.Names,
			Events: func(ctx context.Context, id string, each func(report.Event)) error {
				return eventstore.EachEvent(ctx, s.db.Reads, id, each)
			},
			Texts: func(ctx context.Context, id string, sequences []int, each func(report.Event) error) error {
				return eventstore.EachText(ctx, s.db.Reads, id, sequences, each)
			}},
	})
	areas = append(append(areas, s.accountAreas()...), s.deliveryAreas()...)
	return http.New(http.Config{
		BaseURL:          s.base,
		TrustedProxies:   s.cfg.TrustedProxies,
		Production:       s.cfg.Production(),
		PrivateMetrics:   s.cfg.MetricsListen != "",
		Log:              s.log,
		Metrics:          s.metrics,
		OnUntrustedProxy: func() { s.untrustedProxy.Store(time.Now().Unix()) },
		Tracing:          s.tracing,
		Authenticator:    s.accounts,
		CORSOrigins:      s.cfg.CORSOrigins,
		Ready:            s.ready,
		Panel:            modcp.Handler(),
		Reconnect:        s.reconnector.Reset,
	}, areas...)
}
