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

// Config is the environment, parsed and checked.
type Config struct {
	Environment string `env:"DOCKET_ENV" envDefault:"local"`

	DatabaseURL     string `env:"DATABASE_URL"`      // empty means local mode
	DatabaseReadURL string `env:"DATABASE_READ_URL"` // empty means DatabaseURL
	DataDir         string `env:"DOCKET_DATA_DIR"`   // has a default if local mode needs it

	Listen         string   `env:"DOCKET_LISTEN" envDefault:"127.0.0.1:8080"`
	BaseURL        string   `env:"DOCKET_BASE_URL"` // empty means that of the listener
	TrustedProxies prefixes `env:"DOCKET_TRUSTED_PROXIES"`
	MetricsListen  string   `env:"DOCKET_METRICS_LISTEN"` // empty means /metrics beside the API

	// Drain is how long a server that is told to stop still serves. nil means the default.
	Drain *time.Duration `env:"DOCKET_DRAIN"`

	// CORSOrigins are the sites whose pages may report and read their members' decisions.
	CORSOrigins []string `env:"DOCKET_CORS_ORIGINS"`

	Plugins   []string `env:"DOCKET_PLUGINS"`    // manifests: files or folders
	BrokerURL string   `env:"DOCKET_BROKER_URL"` // of one server or, comma-separated, of several; empty means topics in PostgreSQL
	// BrokerReplicas is how many servers of a JetStream cluster keep each event.
	BrokerReplicas int `env:"DOCKET_BROKER_REPLICAS" envDefault:"1"`

	CronSecret  string `env:"CRON_SECRET" envDefault:"docket-default-cron-secret"`
	CronAdapter string `env:"CRON_ADAPTER"` // empty or inprocess

	// The host platform's identity provider: none or all three.
	JWKSURL  string `env:"AUTH_JWKS_URL"`
	Issuer   string `env:"AUTH_ISSUER"`
	Audience string `env:"AUTH_AUDIENCE"`

	// The organisation's identity provider for signing in: none or the first three.
	OIDCIssuer       string `env:"OIDC_ISSUER"`
	OIDCClientID     string `env:"OIDC_CLIENT_ID"`
	OIDCClientSecret string `env:"OIDC_CLIENT_SECRET"`
	OIDCName         string `env:"OIDC_NAME"`        // empty means the issuer's host
	OIDCAdminGroup   string `env:"OIDC_ADMIN_GROUP"` // its members become root administrators
	Passwords        string `env:"DOCKET_PASSWORDS" envDefault:"on"`

	SMTPURL             string `env:"SMTP_URL"` // empty means no mail
	WebhookAllowPrivate bool   `env:"DOCKET_WEBHOOK_ALLOW_PRIVATE"`
	SecretsKey          string `env:"DOCKET_SECRETS_KEY"` // encrypts webhook secrets; empty leaves them as they are

	// Retention is how long the words of a resolved report are kept. 0 means for ever.
	Retention time.Duration `env:"DOCKET_RETENTION"`

	// Deadlines is how soon reports of a reason should be decided. Empty means no deadlines.
	Deadlines report.Deadlines `env:"DOCKET_DEADLINES"`

	// AppealDays is how long decisions can be appealed. 0 means not at all.
	AppealDays int `env:"DOCKET_APPEAL_DAYS" envDefault:"180"`

	AuditDir string `env:"DOCKET_AUDIT_DIR"` // of checkpoints; empty means beside the cluster in local mode
	// AuditKey signs events and checkpoints; empty: made and kept in AuditDir, or else in
	// the state directory.
	AuditKey string `env:"DOCKET_AUDIT_KEY"`
	// AuditKnownKeys are public keys of other servers of the log, and former ones.
	AuditKnownKeys []string `env:"DOCKET_AUDIT_KNOWN_KEYS"`
	AuditURL       string   `env:"DOCKET_AUDIT_URL"` // checkpoints are posted there; empty: nowhere

	// The OpenTelemetry collector, over HTTP. Without either nothing is traced.
	OTLPEndpoint       string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"` // takes precedence; includes the path

	LogLevel  string `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat string `env:"LOG_FORMAT"` // empty means console on a terminal, else json
}

// Production reports whether insecure defaults are refused.
func (c *Config) Production() bool { return c.Environment == "production" }

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

// parseConfig returns a Config, as far as it could be read, also with an error. An empty
// variable counts as unset.
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

// byVariable replaces the name of the field in a parse error by the variable's.
func byVariable(fault error) error {
	var parse env.ParseError
	if !errors.As(fault, &parse) {
		return fault
	}
	field, ok := reflect.TypeFor[Config]().FieldByName(parse.Name)
	if !ok {
		return fault
	}
	return fmt.Errorf("%s: %w", field.Tag.Get("env"), parse.Err)
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

// baseURL returns the address that people use, as text and parsed: by default that which
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

// drain is how long the server still serves once it is told to stop.
func (c *Config) drain() time.Duration {
	switch {
	case c.Drain != nil:
		return *c.Drain
	case c.Production():
		return productionDrain
	}
	return 0
}
