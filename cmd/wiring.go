package cmd

import (
	"context"
	"errors"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel/trace"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/digest"
	"github.com/docketmod/docket/platform/hold"
	"github.com/docketmod/docket/platform/manifest"
	"github.com/docketmod/docket/platform/mute"
	"github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/remote"
	"github.com/docketmod/docket/platform/rule"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/platform/statement"
	"github.com/docketmod/docket/platform/targetscope"
	"github.com/docketmod/docket/platform/translate"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/backtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/seconds"
	"github.com/docketmod/docket/projections/transparency"
	"github.com/docketmod/docket/subscribers"
	"github.com/docketmod/docket/subscribers/live"
)

// defaultLocale is the language of members who request none.
const defaultLocale = "en"

// Server is Docket with all parts wired together. [NewServer] returns one for tests of plugins.
type Server struct {
	cfg            *Config
	log            zerolog.Logger
	db             *Database
	metrics        *prometheus.Registry
	requestsFailed *prometheus.CounterVec
	questions      *prometheus.CounterVec // to providers
	base           *url.URL               // the public address, once prepared
	signer         proof.Key              // signs events and the ledger
	tracing        trace.TracerProvider   // nil means that nothing is traced
	opened         resources              // what Close closes

	reconnector postgres.Reconnector // for all pools that requests use

	draining atomic.Bool // received a stop signal, and still serving

	plugins    []*registry.Declaration
	areas      []http.Area // the plugins' routes
	registered *registry.Registered
	platforms  *remote.Platforms  // that hold content elsewhere; nil in commands that call none
	providers  []*remote.Provider // of the plugins, besides those of connections
	// connections are the stored platforms; nil if platforms is nil.
	connections   *manifest.Connections
	keptManifests *manifest.Store
	accounts      *account.Store
	oidc          *account.OIDC // nil without a provider
	staff         *staff.Store
	reports       *projections.Reports
	moderation    *moderation.Service
	queue         *queue.Queue
	cron          *cron.Cron
	runs          *projector.Runs
	backtests     *backtest.Runs
	router        *subscribers.Router
	live          *live.Hub
	digests       *digest.Store
	statements    *statement.Store
	transparency  *transparency.Store
	seconds       *seconds.Store
	delivery      delivery

	// untrustedProxy is when an untrusted peer last sent X-Forwarded-For, in Unix time.
	untrustedProxy atomic.Int64

	// background runs beside the HTTP server until it stops.
	background []func(context.Context)
}

// newServer wires a server over a migrated database. It starts no background work, but connects to the broker if there
// is one.
func newServer(ctx context.Context, cfg *Config, db *Database, log zerolog.Logger, registered *registry.Registered, plugins []*registry.Declaration, areas []http.Area) (*Server, error) {
	s := &Server{cfg: cfg, log: log, db: db, plugins: plugins, areas: areas, registered: registered, metrics: prometheus.NewRegistry(), reports: projections.NewReports(db.Pool)}
	s.metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	s.reports.Issuer, s.reports.Lists = cfg.Issuer, db.Reads
	if keys := cfg.secrets(); len(keys) > 0 {
		s.reports.PassKey = keys[0] // marks passed cases
	}
	var err error
	if s.signer, err = cfg.signer(); err != nil {
		return nil, err
	}
	if s.accounts, err = newAccounts(cfg, db.Pool, s.ledger()); err != nil {
		return nil, err
	}
	if s.oidc, err = newOIDC(cfg); err != nil {
		return nil, err
	}
	s.staff = staff.New(db.Pool, staff.Config{Catalog: registered.Permissions, Scopes: registered.Scopes, Signer: s.signer})
	if err := s.ledger().Begin(ctx, db.Pool, proven...); err != nil {
		return nil, err
	}
	if err := s.wireLog(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// proven are the tables that the ledger proves, because their content decides about people.
var proven = []*ledger.Table{staff.Ledger, mute.Ledger, policy.Ledger, policy.StrikesLedger, policy.ReportableLedger, policy.SecondKeyLedger, policy.StatementLedger, policy.LadderLedger, rule.Ledger,
	quality.Ledger, manifest.Ledger, manifest.SecretLedger, account.FactorLedger, account.FlaggerLedger, hold.Ledger}

// ledger returns what the stores of proven tables use to append to the ledger.
func (s *Server) ledger() ledger.Ledger { return ledger.Ledger{Signer: s.signer, Now: time.Now} }

func (s *Server) holds() *hold.Store { return hold.New(s.db.Pool, s.ledger(), s.cfg.Issuer) }

// wireLog wires the writers of the log and its followers: the sealer wakes the live feed and the
// projector, and a commit wakes the sealer and the queue.
func (s *Server) wireLog(ctx context.Context) (err error) {
	s.live = live.NewHub(s.db.Pool, s.log, s.metrics)
	follower := newProjector(s.db.Pool, s.log, s.metrics, func() { s.queue.Wake() })
	sealer := eventstore.NewSealer(s.db.Pool, s.log, func(int64) {
		s.live.Wake()
		follower.Wake()
	})
	if err := sealer.Restored(ctx); err != nil {
		return err
	}
	s.queue = queue.New(s.db.Pool, queue.Config{Log: s.log})
	s.runs = projector.NewRuns(s.db.Pool, follower, time.Now, projector.Enqueue)
	s.backtests = backtest.New(s.db.Pool, s.db.Reads, time.Now)
	listeners, err := s.wireDelivery()
	if err != nil {
		return err
	}
	for _, p := range s.plugins {
		listeners = append(listeners, p.Listeners...)
		if err := s.handleTasks(p); err != nil {
			return err
		}
	}
	s.statements = s.newStatements()
	known, err := proof.Verifiers(append([]string{s.signer.Public}, s.cfg.AuditKnownKeys...)...)
	if err != nil {
		return err
	}
	s.transparency = transparency.New(s.db.Pool, s.db.Reads, s.signer, known, time.Now)
	if s.cfg.StatementsURL != "" {
		listeners = append(listeners, s.statements.Listener())
	}
	events := subscribers.Config{Log: s.log, Metrics: s.metrics, Forwarders: s.delivery.forwarders}
	if s.router, err = subscribers.NewRouter(s.db.Pool, events, listeners...); err != nil {
		return err
	}
	effects := queue.Effects{Wake: s.queue.Wake}
	store := eventstore.New(s.db.Pool, projections.Inline{}, effects, s.signer, time.Now, sealer.Wake)
	store.Reconnect = s.reconnector.Reset
	s.moderation = moderation.New(store, s.reports, s.staff, s.registered.Targets, time.Now, defaultLocale)
	s.moderation.OnTargetError = func(ctx context.Context, err error) { // with the request's id
		zerolog.Ctx(ctx).Warn().Err(err).Msg("showing a report without the present state of its content")
	}
	s.moderation.Elsewhere = s.pluginsElsewhere
	s.moderation.Handles = s.handles
	s.moderation.Deadlines = s.cfg.Deadlines
	s.seconds = seconds.New(s.db.Pool, s.db.Reads, s.cfg.Issuer)
	s.moderation.Seconds = s.seconds
	s.moderation.ClaimTimeout = s.cfg.ClaimTimeout
	s.moderation.Policies = policy.New(s.db.Pool, s.ledger())
	if s.cfg.TranslateURL != "" {
		s.moderation.Translator = translate.New(s.cfg.TranslateURL, s.cfg.TranslateKey)
	}
	s.moderation.AppealPeriod = time.Duration(s.cfg.AppealDays) * 24 * time.Hour
	s.digests = digest.NewStore(s.db.Pool)
	if err := errors.Join(s.runs.Handle(s.queue), s.backtests.Handle(s.queue), s.transparency.Handle(s.queue),
		s.handleRules(), s.handleSignals(), s.handleDigests()); err != nil {
		return err
	}
	inProcess := s.cfg.CronAdapter == "inprocess"
	if s.cron, err = cron.New(s.db.Pool, cron.Config{Log: s.log, Adapter: inProcess}, append(s.jobs(store), s.pluginJobs()...)...); err != nil {
		return err
	}
	s.requestsFailed, s.questions = newRequestsFailed(), newQuestions()
	s.metrics.MustRegister(newFigures(s), s.requestsFailed, s.questions)
	s.background = append(s.background, sealer.Run, follower.Run, s.queue.Run, s.live.Run, s.runRouter, s.announce)
	if inProcess {
		s.background = append(s.background, s.cron.Run)
	}
	return nil
}

// runRouter delivers events to listeners until ctx ends. If the start fails, as while another
// server rewrites a restored topic, it retries with a backoff of up to five seconds.
func (s *Server) runRouter(ctx context.Context) {
	const first, last = 100 * time.Millisecond, 5 * time.Second
	for wait := first; ; wait = min(2*wait, last) {
		err := s.router.Run(ctx)
		if ctx.Err() != nil {
			return
		}
		s.log.Error().Err(err).Dur("wait", wait).Msg("delivery of events did not start")
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// followScopes installs the triggers that record when content moves between scopes. If the database
// does not allow triggers, the scheduled job finds the moves.
func (s *Server) followScopes(ctx context.Context) {
	for _, c := range s.registered.Content {
		followed, ok := targetscope.ForType(c.PluginID, c.Type)
		if !ok {
			continue
		}
		err := targetscope.Install(ctx, s.db.Pool, followed)
		if err != nil {
			s.log.Warn().Err(err).Str("type", c.Type.ID).Msg("no trigger follows the scope of this type: a job finds moves, 2,000 targets every five minutes")
		}
	}
}

// ready returns why the server is not ready, or nil.
func (s *Server) ready(ctx context.Context) error {
	if s.draining.Load() {
		return errors.New("the server is about to stop")
	}
	current, err := allCurrent(ctx, s.db.Pool, s.plugins)
	if err != nil {
		return err
	}
	if !current {
		return errors.New("migrations are pending: run docket migrate up")
	}
	return nil
}
