package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/caarlos0/env/v11"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/platform/cron"
	"github.com/docketmod/docket/platform/postgres/local"
)

// Config is the environment (contract section 10), parsed and checked.
type Config struct {
	Environment string `env:"DOCKET_ENV" envDefault:"local"`

	DatabaseURL     string `env:"DATABASE_URL"`      // empty: local mode
	DatabaseReadURL string `env:"DATABASE_READ_URL"` // empty: reads use DatabaseURL
	DataDir         string `env:"DOCKET_DATA_DIR"`   // set by default when local mode needs it

	Listen         string   `env:"DOCKET_LISTEN" envDefault:"127.0.0.1:8080"`
	BaseURL        string   `env:"DOCKET_BASE_URL"` // empty: from the listener
	TrustedProxies prefixes `env:"DOCKET_TRUSTED_PROXIES"`

	Plugins   []string `env:"DOCKET_PLUGINS"`    // manifests: files or folders
	BrokerURL string   `env:"DOCKET_BROKER_URL"` // empty: topics in PostgreSQL

	CronSecret  string `env:"CRON_SECRET"`  // empty: cron.DefaultSecret
	CronAdapter string `env:"CRON_ADAPTER"` // empty or inprocess

	// The host platform's identity provider: none or all three.
	JWKSURL  string `env:"AUTH_JWKS_URL"`
	Issuer   string `env:"AUTH_ISSUER"`
	Audience string `env:"AUTH_AUDIENCE"`

	SMTPURL             string `env:"SMTP_URL"` // empty: no mail
	WebhookAllowPrivate bool   `env:"DOCKET_WEBHOOK_ALLOW_PRIVATE"`

	// Retention is how long the words of a resolved report are kept; 0: for ever.
	Retention time.Duration `env:"DOCKET_RETENTION"`

	AuditDir string `env:"DOCKET_AUDIT_DIR"` // of checkpoints; empty: in local mode beside the cluster
	AuditKey string `env:"DOCKET_AUDIT_KEY"` // signs checkpoints; empty: made and kept in AuditDir
	AuditURL string `env:"DOCKET_AUDIT_URL"` // checkpoints are posted there; empty: nowhere

	// An OpenTelemetry collector, spoken to over HTTP; both empty: nothing is traced.
	OTLPEndpoint       string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"` // wins, with a path of its own

	LogLevel  string `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat string `env:"LOG_FORMAT"` // empty: console on a terminal, else json
}

// minCronSecret is the length of a secret of a deployment's own, in characters (spec section 5.2.3).
const minCronSecret = 16

// Production says that no insecure default may be in use.
func (c *Config) Production() bool { return c.Environment == "production" }

// DefaultCronSecret says that the publicly known secret is in use.
func (c *Config) DefaultCronSecret() bool {
	return c.CronSecret == "" || c.CronSecret == cron.DefaultSecret
}

// config reads the settings of a command. Its error names every fault.
func (a *app) config() (*Config, error) {
	cfg, err := parseConfig(a.environment)
	if err != nil {
		return nil, fmt.Errorf("settings:\n%w", err)
	}
	return cfg, cfg.setDataDir()
}

// serverConfig reads the settings of a command that serves: in production it
// refuses what is insecure. Its error names every fault.
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

// parseConfig gives a Config also with an error, as far as it could be read.
// An empty variable is as an unset one.
func parseConfig(environment map[string]string) (*Config, error) {
	set := make(map[string]string, len(environment))
	for name, value := range environment {
		if value != "" {
			set[name] = value
		}
	}
	cfg := new(Config)
	err := env.ParseWithOptions(cfg, env.Options{Environment: set})
	var several env.AggregateError
	if errors.As(err, &several) {
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

// byVariable names the variable that cannot be read instead of our field for it.
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

// faults are what is wrong everywhere.
func (c *Config) faults() error {
	var faults []error
	fault := func(variable, format string, args ...any) {
		faults = append(faults, fmt.Errorf(variable+": "+format, args...))
	}
	oneOf := func(variable, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			fault(variable, "%q is none of %s", value, strings.Join(slices.DeleteFunc(allowed, func(s string) bool { return s == "" }), ", "))
		}
	}
	isURL := func(variable, value string, schemes ...string) {
		if value == "" {
			return
		}
		// The value may hold a password, so neither it nor the parser's error is told.
		u, err := url.Parse(value)
		if err != nil || !slices.Contains(schemes, u.Scheme) || u.Host == "" && u.Path == "" {
			fault(variable, "is not a URL of the form %s://…", strings.Join(schemes, ":// or "))
		}
	}
	oneOf("DOCKET_ENV", c.Environment, "local", "production")
	oneOf("CRON_ADAPTER", c.CronAdapter, "", "inprocess")
	oneOf("LOG_FORMAT", c.LogFormat, "", "console", "json")
	oneOf("LOG_LEVEL", c.LogLevel, "trace", "debug", "info", "warn", "error")

	isURL("DATABASE_URL", c.DatabaseURL, "postgres", "postgresql")
	isURL("DATABASE_READ_URL", c.DatabaseReadURL, "postgres", "postgresql")
	isURL("DOCKET_BASE_URL", c.BaseURL, "https", "http")
	isURL("DOCKET_BROKER_URL", c.BrokerURL, "nats", "tls")
	isURL("AUTH_JWKS_URL", c.JWKSURL, "https", "http")
	isURL("SMTP_URL", c.SMTPURL, "smtp", "smtps")
	isURL("DOCKET_AUDIT_URL", c.AuditURL, "https", "http")
	isURL("OTEL_EXPORTER_OTLP_ENDPOINT", c.OTLPEndpoint, "http", "https")
	isURL("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.OTLPTracesEndpoint, "http", "https")

	if !hostPort(c.Listen) {
		fault("DOCKET_LISTEN", "%q is not of the form host:port", c.Listen)
	}
	if c.CronSecret != strings.TrimSpace(c.CronSecret) {
		fault("CRON_SECRET", "begins or ends with white space, which no request header keeps, so that nothing would match it")
	}
	if c.Retention < 0 {
		fault("DOCKET_RETENTION", "is negative")
	}
	if u, err := url.Parse(c.BaseURL); err == nil && (u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "") {
		fault("DOCKET_BASE_URL", "has a path; only scheme and host are wanted")
	}
	if c.AuditURL != "" && c.AuditKey == "" && c.AuditDir == "" && c.DatabaseURL != "" {
		fault("DOCKET_AUDIT_URL", "needs DOCKET_AUDIT_KEY, or DOCKET_AUDIT_DIR to keep a key in, since checkpoints are signed")
	}
	if c.DatabaseURL == "" && c.DatabaseReadURL != "" {
		fault("DATABASE_READ_URL", "needs DATABASE_URL")
	}
	if one, all := c.JWKSURL+c.Issuer+c.Audience != "", c.JWKSURL != "" && c.Issuer != "" && c.Audience != ""; one && !all {
		fault("AUTH_JWKS_URL", "AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE are set together or not at all")
	}
	return errors.Join(faults...)
}

// insecure are the reasons not to serve in production.
func (c *Config) insecure() error {
	var faults []error
	if c.DefaultCronSecret() {
		faults = append(faults, errors.New("CRON_SECRET: the default is publicly known; production needs one of its own"))
	} else if utf8.RuneCountInString(c.CronSecret) < minCronSecret {
		faults = append(faults, fmt.Errorf("CRON_SECRET: production needs at least %d characters", minCronSecret))
	}
	if !strings.HasPrefix(c.BaseURL, "https://") {
		faults = append(faults, errors.New("DOCKET_BASE_URL: production needs the https address that people use"))
	}
	if c.JWKSURL != "" && !strings.HasPrefix(c.JWKSURL, "https://") {
		faults = append(faults, errors.New("AUTH_JWKS_URL: production needs https, since whoever changes the keys can sign in as anybody"))
	}
	if c.AuditURL != "" && !strings.HasPrefix(c.AuditURL, "https://") {
		faults = append(faults, errors.New("DOCKET_AUDIT_URL: production needs https, since the address may hold a secret"))
	}
	return errors.Join(faults...)
}

// setDataDir fills in the data directory where local mode needs one.
func (c *Config) setDataDir() (err error) {
	if c.DatabaseURL == "" && c.DataDir == "" {
		c.DataDir, err = local.DefaultDataDir()
	}
	return err
}

// logger writes to standard error; standard output is for what a command answers.
func (c *Config) logger(stderr io.Writer) zerolog.Logger {
	format := c.LogFormat
	if format == "" && isTerminal(stderr) {
		format = "console"
	}
	if format == "console" {
		_, plain := os.LookupEnv("NO_COLOR")
		stderr = zerolog.ConsoleWriter{Out: stderr, NoColor: plain || !isTerminal(stderr), TimeFormat: "15:04:05.000"}
	}
	level, err := zerolog.ParseLevel(c.LogLevel)
	if err != nil {
		level = zerolog.InfoLevel // faults has refused any other
	}
	return zerolog.New(stderr).Level(level).With().Timestamp().Logger()
}
