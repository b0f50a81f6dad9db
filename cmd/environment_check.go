package cmd

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/sealing"
)

// The bounds of variables.
const (
	maxAppealDays     = 36_500 // a hundred years
	maxBrokerReplicas = 5      // JetStream's maximum for a stream
	maxDrain          = 5 * time.Minute

	maxStatementsDelay = 365 * 24 * time.Hour
	minClaimTimeout    = time.Second
	maxClaimTimeout    = 365 * 24 * time.Hour
)

// variableFaults collects the faults of variables.
type variableFaults []error

func (f *variableFaults) add(variable, format string, args ...any) {
	*f = append(*f, fmt.Errorf(variable+": "+format, args...))
}

func (f *variableFaults) oneOf(variable, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		f.add(variable, "%q is none of %s", value, strings.Join(slices.DeleteFunc(allowed, func(s string) bool { return s == "" }), ", "))
	}
}

func (f *variableFaults) url(variable, value string, schemes ...string) {
	if value == "" {
		return
	}
	// The value may contain a password, so the message shows neither it nor the parser's error.
	u, err := url.Parse(value)
	if err != nil || !slices.Contains(schemes, u.Scheme) || u.Hostname() == "" && (u.Path == "" || !strings.HasPrefix(u.Scheme, "postgres")) { // a database may be at a socket
		f.add(variable, "is not a URL of the form %s://…", strings.Join(schemes, ":// or "))
	}
}

// signsIn refuses the address of an identity provider if it is open to a man in the middle.
// Production refuses more, see insecure.
func (f *variableFaults) signsIn(variable, value string, production bool) {
	f.url(variable, value, "https", "http")
	if u, err := url.Parse(value); err == nil && u.Scheme == "http" && !production && !domain.SecureURL(value) {
		f.add(variable, "must be https, since an attacker who changes its answers can sign in as anybody")
	}
}

// together refuses variables of which only some are set.
func (f *variableFaults) together(variable, all string, values ...string) {
	if slices.Contains(values, "") && strings.Join(values, "") != "" {
		f.add(variable, "%s are set together or not at all", all)
	}
}

// faults returns the faults that count in any environment.
func (c *Config) faults() error {
	var f variableFaults
	c.checkForms(&f)
	c.checkBounds(&f)
	c.checkOriginsAndKeys(&f)
	c.checkCombinations(&f)
	return errors.Join(f...)
}

// checkForms checks the settings that accept only certain values, and the URLs.
func (c *Config) checkForms(f *variableFaults) {
	f.oneOf("DOCKET_ENV", c.Environment, "local", "production")
	f.oneOf("CRON_ADAPTER", c.CronAdapter, "", "inprocess")
	f.oneOf("LOG_FORMAT", c.LogFormat, "", "console", "json")
	f.oneOf("LOG_LEVEL", c.LogLevel, "trace", "debug", "info", "warn", "error")

	f.url("DATABASE_URL", c.DatabaseURL, "postgres", "postgresql")
	f.url("DATABASE_READ_URL", c.DatabaseReadURL, "postgres", "postgresql")
	f.url("DOCKET_BASE_URL", c.BaseURL, "https", "http")
	for address := range strings.SplitSeq(c.BrokerURL, ",") {
		f.url("DOCKET_BROKER_URL", strings.TrimSpace(address), "nats", "tls")
	}
	f.signsIn("AUTH_JWKS_URL", c.JWKSURL, c.Production())
	f.signsIn("OIDC_ISSUER", c.OIDCIssuer, c.Production())
	f.oneOf("DOCKET_PASSWORDS", c.Passwords, "on", "off")
	f.oneOf("DOCKET_STAFF_TWO_FACTOR", c.StaffTwoFactor, "optional", "required")
	f.oneOf("DOCKET_NOTICES", c.Notices, "on", "off")
	if _, err := mail.NewServer(c.SMTPURL); c.SMTPURL != "" && err != nil {
		f.add("SMTP_URL", "%s", err)
	}
	f.url("DOCKET_AUDIT_URL", c.AuditURL, "https", "http")
	f.url("DOCKET_TRANSLATE_URL", c.TranslateURL, "https", "http")
	f.url("DOCKET_STATEMENTS_URL", c.StatementsURL, "https", "http")
	f.url("OTEL_EXPORTER_OTLP_ENDPOINT", c.OTLPEndpoint, "http", "https")
	f.url("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.OTLPTracesEndpoint, "http", "https")
}

func (c *Config) checkBounds(f *variableFaults) {
	for variable, listen := range map[string]string{"DOCKET_LISTEN": c.Listen, "DOCKET_METRICS_LISTEN": c.MetricsListen} {
		if !hostPort(listen) && (listen != "" || variable == "DOCKET_LISTEN") {
			f.add(variable, "%q is not of the form host:port", listen)
		}
	}
	if c.Drain != nil && (*c.Drain < 0 || *c.Drain > maxDrain) {
		f.add("DOCKET_DRAIN", "is not between 0 and %s", maxDrain)
	}
	if c.CronSecret != strings.TrimSpace(c.CronSecret) {
		f.add("CRON_SECRET", "begins or ends with white space, which no request header keeps, so that nothing would match it")
	}
	if c.BrokerReplicas < 1 || c.BrokerReplicas > maxBrokerReplicas {
		f.add("DOCKET_BROKER_REPLICAS", "%d is not between 1 and %d", c.BrokerReplicas, maxBrokerReplicas)
	}
	if c.StatementsDelay < 0 || c.StatementsDelay > maxStatementsDelay {
		f.add("DOCKET_STATEMENTS_DELAY", "is not between 0 and %s", maxStatementsDelay)
	}
	if c.Retention < 0 {
		f.add("DOCKET_RETENTION", "is negative")
	}
	if c.ClaimTimeout != 0 && (c.ClaimTimeout < minClaimTimeout || c.ClaimTimeout > maxClaimTimeout) {
		f.add("DOCKET_CLAIM_TIMEOUT", "is not between %s and %s", minClaimTimeout, maxClaimTimeout)
	}
	if c.AppealDays < 0 || c.AppealDays > maxAppealDays {
		f.add("DOCKET_APPEAL_DAYS", "is not a whole number from 0 to %d", maxAppealDays)
	}
}

// checkOriginsAndKeys checks origins and keys. It also normalizes the origins as browsers do.
func (c *Config) checkOriginsAndKeys(f *variableFaults) {
	for i, origin := range c.CORSOrigins {
		u, err := parseBase(strings.TrimSpace(origin))
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.Path+u.RawQuery+u.Fragment != "" || u.User != nil {
			f.add("DOCKET_CORS_ORIGINS", "%q is not an origin such as https://shop.example", origin)
			continue
		}
		c.CORSOrigins[i] = u.String()
	}
	if u, err := url.Parse(c.BaseURL); err == nil && u.Host != "" && (u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "") {
		f.add("DOCKET_BASE_URL", "has more than scheme, host and port")
	}
	if _, err := sealing.Split(c.SecretsKey); err != nil {
		f.add("DOCKET_SECRETS_KEY", "%s", err)
	}
	if c.AuditKey != "" {
		if _, err := note.NewSigner(c.AuditKey); err != nil {
			f.add("DOCKET_AUDIT_KEY", "is not a key as docket audit key prints it") // and is secret
		}
	}
	for _, key := range c.AuditKnownKeys {
		if _, err := note.NewVerifier(key); err != nil {
			f.add("DOCKET_AUDIT_KNOWN_KEYS", "%q is not a public key as docket audit key --public prints it", key)
		}
	}
}

// checkCombinations checks variables that depend on each other.
func (c *Config) checkCombinations(f *variableFaults) {
	if c.AuditURL != "" && c.AuditKey == "" && c.AuditDir == "" && c.DatabaseURL != "" {
		f.add("DOCKET_AUDIT_URL", "needs DOCKET_AUDIT_KEY, or DOCKET_AUDIT_DIR to keep a key in, since checkpoints are signed")
	}
	f.together("DOCKET_STATEMENTS_URL", "DOCKET_STATEMENTS_URL and DOCKET_STATEMENTS_TOKEN", c.StatementsURL, c.StatementsToken)
	if c.DatabaseURL == "" && c.DatabaseReadURL != "" {
		f.add("DATABASE_READ_URL", "needs DATABASE_URL")
	}
	f.together("AUTH_JWKS_URL", "AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE", c.JWKSURL, c.Issuer, c.Audience)
	f.together("OIDC_ISSUER", "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET", c.OIDCIssuer, c.OIDCClientID, c.OIDCClientSecret)
	if c.Notices == "on" && c.SMTPURL == "" {
		f.add("DOCKET_NOTICES", "on needs SMTP_URL, since whoever sends a notice confirms it by mail")
	}
	if c.Passwords == "off" && c.OIDCIssuer == "" {
		f.add("DOCKET_PASSWORDS", "off leaves signing in to OIDC_ISSUER, which is not set")
	}
}

// prefixes is a comma-separated list of networks and single addresses.
type prefixes []netip.Prefix

// UnmarshalText implements encoding.TextUnmarshaler, for package env.
func (p *prefixes) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if addr, err := netip.ParseAddr(part); err == nil {
			*p = append(*p, netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", part)
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}
