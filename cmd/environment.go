package cmd

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/proof"
)

// Config is the environment, parsed and checked. docs/configure.md is generated from its comments, which say what a
// setting is, and from its tags unset and envDefault, which say what applies without it.
type Config struct {
	// Database.

	// PostgreSQL 15 or newer, not through a pooler such as PgBouncer.
	DatabaseURL string `env:"DATABASE_URL" unset:"a private cluster"`
	// A streaming replica for lists, searches, counts, statistics, replays, `GET
	// …/moderation/events`, the status of projections and `docket audit export`. A read that the
	// replica cannot give in time, with everything written before, uses the primary. The role needs
	// `GRANT pg_read_all_stats`.
	DatabaseReadURL string `env:"DATABASE_READ_URL" unset:"that database"`
	// Where the private cluster lives. Every command beside a server needs the same value.
	DataDir string `env:"DOCKET_DATA_DIR" unset:"/var/lib/docket for root, else ~/.local/state/docket"`

	// The server.

	// `local`, or `production`, which refuses every insecure default.
	Environment string `env:"DOCKET_ENV" envDefault:"local"`
	// Address and port; port 0 picks a free one.
	Listen string `env:"DOCKET_LISTEN" envDefault:"127.0.0.1:8080"`
	// The address that people use: the trusted origin, and the beginning of links.
	BaseURL string `env:"DOCKET_BASE_URL" unset:"the listener's"`
	// Networks whose `X-Forwarded-For` header is trusted.
	TrustedProxies prefixes `env:"DOCKET_TRUSTED_PROXIES" unset:"none"`
	// How long a server that is told to stop still serves, while `/readyz` answers 503.
	Drain *time.Duration `env:"DOCKET_DRAIN" unset:"5s in production, else 0"`
	// An address of its own for `/metrics` and `/debug/pprof/`, which then leave the public one.
	MetricsListen string `env:"DOCKET_METRICS_LISTEN" unset:"none"`
	// 32 bytes in base64 (`openssl rand -base64 32`) that encrypt the secrets of webhooks, platforms and second factors
	// in the database, and bind sessions, tokens and links to their accounts, so that one made by SQL signs nobody in
	// (from an hour after the first start with it). Set it on every server within that hour, and wherever `docket token
	// create` runs. Several keys are comma-separated, and the first one encrypts and binds. To replace a key, add the
	// new one after it, then put the new one first, and remove the old one after every server has started again.
	SecretsKey string `env:"DOCKET_SECRETS_KEY" unset:"none"`
	// Origins, comma-separated, whose pages may report by
	// [`<docket-report>`](plugins.md#report-from-your-own-pages).
	CORSOrigins []string `env:"DOCKET_CORS_ORIGINS" unset:"none"`
	// `debug`, `info`, `warn` or `error`.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	// `json` or `console`.
	LogFormat string `env:"LOG_FORMAT" unset:"console on a terminal, else json"`
	// The collector of traces, such as `http://…:4318`. The spans of requests and their SQL contain no text that people
	// wrote.
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" unset:"no tracing"`
	// The collector of traces alone, with its path. It takes precedence over `OTEL_EXPORTER_OTLP_ENDPOINT`.
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" unset:"the path /v1/traces there"`

	// Plugins and events.

	// Manifests: files or folders, comma-separated.
	Plugins []string `env:"DOCKET_PLUGINS" unset:"none"`
	// A NATS server, such as `nats://…`: events also go to its JetStream. For a cluster, list the URLs of its servers,
	// comma-separated.
	BrokerURL string `env:"DOCKET_BROKER_URL" unset:"none"`
	// How many servers of a JetStream cluster keep each event, 1 to 5.
	BrokerReplicas int `env:"DOCKET_BROKER_REPLICAS" envDefault:"1"`
	// Webhooks and platforms may be at private addresses.
	WebhookAllowPrivate bool `env:"DOCKET_WEBHOOK_ALLOW_PRIVATE" envDefault:"false"`

	// Jobs and mail.

	// What the scheduler sends as bearer token; in production at least 16 characters of your own.
	CronSecret string `env:"CRON_SECRET" envDefault:"docket-default-cron-secret"`
	// `inprocess` runs the jobs without a scheduler.
	CronAdapter string `env:"CRON_ADAPTER" unset:"none"`
	// The server for mail, such as `smtp://…?from=…`. Docket mails notices, links for forgotten passwords, and
	// invitations. Administration → System sends a test mail.
	SMTPURL string `env:"SMTP_URL" unset:"no mail"`

	// Accounts.

	// The address of the host platform's key set. Docket then accepts JWTs that its keys have signed; RSA keys may have
	// up to 8,192 bits. The next two must be set too.
	JWKSURL string `env:"AUTH_JWKS_URL" unset:"none"`
	// The `iss` of the host platform's JWTs.
	Issuer string `env:"AUTH_ISSUER" unset:"none"`
	// The `aud` of the host platform's JWTs.
	Audience string `env:"AUTH_AUDIENCE" unset:"none"`
	// An OpenID provider to sign in with. The next two must be set too. The redirect address is
	// `…/api/@platform/core/users/oidc/callback`.
	OIDCIssuer string `env:"OIDC_ISSUER" unset:"none"`
	// Docket's client id at the OpenID provider.
	OIDCClientID string `env:"OIDC_CLIENT_ID" unset:"none"`
	// Docket's client secret at the OpenID provider.
	OIDCClientSecret string `env:"OIDC_CLIENT_SECRET" unset:"none"`
	// The name of the OpenID provider on the sign-in page.
	OIDCName string `env:"OIDC_NAME" unset:"the issuer's host"`
	// Members of this group (claim `groups`) become root administrators when they sign in.
	OIDCAdminGroup string `env:"OIDC_ADMIN_GROUP" unset:"none"`
	// `off` leaves signing in to the OpenID provider.
	Passwords string `env:"DOCKET_PASSWORDS" envDefault:"on"`
	// `required`: staff who sign in by password reach only their account page until they have a
	// [second factor](#second-factors).
	StaffTwoFactor string `env:"DOCKET_STAFF_TWO_FACTOR" envDefault:"optional"`

	// Moderation.

	// `on` takes [notices by anybody](public.md#notices-by-anybody), also without an account. It needs
	// `SMTP_URL`.
	Notices string `env:"DOCKET_NOTICES" envDefault:"off"`
	// How long the text of resolved reports is kept, such as `8760h`.
	Retention time.Duration `env:"DOCKET_RETENTION" unset:"for ever"`
	// How soon reports of a reason should be decided, such as `abusive=4h,spam=48h`.
	Deadlines report.Deadlines `env:"DOCKET_DEADLINES" unset:"none"`
	// How long an assignee may leave a report untouched before it is released, such as `48h`.
	ClaimTimeout time.Duration `env:"DOCKET_CLAIM_TIMEOUT" unset:"never"`
	// How many days authors and reporters can appeal a decision; 0 means not at all.
	AppealDays int `env:"DOCKET_APPEAL_DAYS" envDefault:"180"`

	// A LibreTranslate server, or one with the same API, such as `http://…:5000`. It translates reported content for
	// moderators who press `l`, and so receives the text of that content.
	TranslateURL string `env:"DOCKET_TRANSLATE_URL" unset:"no translation"`
	// The API key of the translation server.
	TranslateKey string `env:"DOCKET_TRANSLATE_KEY" unset:"none"`

	// Statements of reasons.

	// The EU's transparency database, or one like it, that [statements](statements.md) are sent to.
	StatementsURL string `env:"DOCKET_STATEMENTS_URL" unset:"none is sent"`
	// The token for the transparency database.
	StatementsToken string `env:"DOCKET_STATEMENTS_TOKEN" unset:"none"`
	// How long after a decision its statement is sent, if the decision still stands.
	StatementsDelay time.Duration `env:"DOCKET_STATEMENTS_DELAY" envDefault:"24h"`

	// The audit.

	// Where checkpoints are kept.
	AuditDir string `env:"DOCKET_AUDIT_DIR" unset:"audit beside the private cluster, else none"`
	// The Ed25519 key that signs each event and checkpoint: `docket audit key` prints a new one.
	AuditKey string `env:"DOCKET_AUDIT_KEY" unset:"made, and kept in that folder or the state directory; production needs one"`
	// Public keys of the log's other servers and former keys, comma-separated: `docket audit key
	// --public` prints one.
	AuditKnownKeys []string `env:"DOCKET_AUDIT_KNOWN_KEYS" unset:"none"`
	// The address that each hourly checkpoint is posted to.
	AuditURL string `env:"DOCKET_AUDIT_URL" unset:"none"`
}

// Production reports whether insecure defaults are refused.
func (c *Config) Production() bool { return c.Environment == "production" }

func (c *Config) staffTwoFactor() bool { return c.StaffTwoFactor == "required" }

// DefaultCronSecret reports whether the publicly known secret is in use.
func (c *Config) DefaultCronSecret() bool {
	return c.CronSecret == "docket-default-cron-secret"
}

// config reads the settings of a command. Its error names every fault.
func (a *app) config() (*Config, error) {
	cfg, err := parseConfig(a.environment)
	if err != nil {
		return nil, fmt.Errorf("settings:\n%w", err)
	}
	return cfg, cfg.setDataDir()
}

// serverConfig reads the settings of a command that serves. In production it refuses
// insecure ones. Its error names every fault.
func (a *app) serverConfig() (*Config, error) {
	cfg, err := parseConfig(a.environment)
	if cfg.Production() {
		err = errors.Join(err, cfg.insecure())
	}
	if err != nil {
		return nil, fmt.Errorf("settings:\n%w", err)
	}
	return cfg, cfg.setDataDir()
}

// parseConfig parses the environment. With an error, the Config holds what could be parsed. An
// empty variable counts as unset.
func parseConfig(environment map[string]string) (*Config, error) {
	set := make(map[string]string, len(environment))
	for name, value := range environment {
		if value != "" {
			set[name] = value
		}
	}
	cfg := new(Config)
	err := env.ParseWithOptions(cfg, env.Options{Environment: set})
	if several, ok := errors.AsType[env.AggregateError](err); ok {
		for i, fault := range several.Errors {
			several.Errors[i] = byVariable(fault)
		}
		err = errors.Join(several.Errors...)
	}
	for i, path := range cfg.Plugins {
		cfg.Plugins[i] = strings.TrimSpace(path)
	}
	cfg.Plugins = slices.DeleteFunc(cfg.Plugins, func(path string) bool { return path == "" })
	return cfg, errors.Join(err, cfg.faults())
}

// byVariable rewrites a parse error: it names the variable instead of the field, and says what to write.
func byVariable(fault error) error {
	var parse env.ParseError
	if !errors.As(fault, &parse) {
		return fault
	}
	field, ok := reflect.TypeFor[Config]().FieldByName(parse.Name)
	if !ok {
		return fault
	}
	err := parse.Err
	switch field.Type {
	case reflect.TypeFor[time.Duration](), reflect.TypeFor[*time.Duration]():
		err = errors.New("is not a duration such as 90s or 24h")
	case reflect.TypeFor[int]():
		err = errors.New("is not a whole number")
	case reflect.TypeFor[bool]():
		err = errors.New("is neither true nor false")
	}
	return fmt.Errorf("%s: %w", field.Tag.Get("env"), err)
}

// setDataDir sets the default data directory if local mode needs it.
func (c *Config) setDataDir() (err error) {
	if c.DatabaseURL == "" && c.DataDir == "" {
		c.DataDir, err = local.DefaultDataDir()
	}
	return err
}

// checkpoints returns the folder of checkpoints. Its Path is "" if none is known.
func (c *Config) checkpoints() proof.Folder {
	f := proof.Folder{Path: c.AuditDir, Key: c.AuditKey, Known: c.AuditKnownKeys}
	if f.Path == "" && c.DatabaseURL == "" && c.DataDir != "" {
		f.Path = filepath.Join(c.DataDir, "audit")
	}
	return f
}

// oidcName returns the provider's name on the sign-in page, or "" without one.
func (c *Config) oidcName() string {
	if c.OIDCIssuer == "" || c.OIDCName != "" {
		return c.OIDCName
	}
	issuer, err := url.Parse(c.OIDCIssuer)
	if err != nil {
		return c.OIDCIssuer
	}
	return issuer.Host
}

// baseURL returns the address that people use, as text and parsed. The default is the address that
// the server listens on.
func (c *Config) baseURL(listens string) (string, *url.URL, error) {
	base := c.BaseURL
	if base == "" {
		base = "http://" + listens
	}
	parsed, err := parseBase(base)
	if err != nil {
		return "", nil, fmt.Errorf("base URL: %w", err)
	}
	return base, parsed, nil
}

// productionDrain is the default of DOCKET_DRAIN in production.
const productionDrain = 5 * time.Second

// drain is how long the server still serves requests after it received a stop signal.
func (c *Config) drain() time.Duration {
	switch {
	case c.Drain != nil:
		return *c.Drain
	case c.Production():
		return productionDrain
	}
	return 0
}
