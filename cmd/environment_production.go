package cmd

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// minCronSecret is how many characters CRON_SECRET needs in production.
const minCronSecret = 16

// errNoAuditKey means that production needs a configured key: one in a file would be lost with its
// disk.
var errNoAuditKey = errors.New("DOCKET_AUDIT_KEY: production needs the key that signs events; docket audit key prints a new one")

// insecure returns why production refuses the settings.
func (c *Config) insecure() error {
	var f variableFaults
	if c.DefaultCronSecret() {
		f.add("CRON_SECRET", "the default is publicly known; production needs a secret of its own")
	} else if utf8.RuneCountInString(c.CronSecret) < minCronSecret {
		f.add("CRON_SECRET", "production needs at least %d characters", minCronSecret)
	}
	if !strings.HasPrefix(c.BaseURL, "https://") {
		f.add("DOCKET_BASE_URL", "production needs the https address of the service")
	}
	for _, encrypted := range []struct{ variable, address, since string }{
		{"AUTH_JWKS_URL", c.JWKSURL, "an attacker who changes the keys can sign in as anybody"},
		{"OIDC_ISSUER", c.OIDCIssuer, "an attacker who changes its answers can sign in as anybody"},
		{"DOCKET_AUDIT_URL", c.AuditURL, "the address may hold a secret"},
		{"DOCKET_STATEMENTS_URL", c.StatementsURL, "the token goes there"},
	} {
		if encrypted.address != "" && !strings.HasPrefix(encrypted.address, "https://") {
			f.add(encrypted.variable, "production needs https, since %s", encrypted.since)
		}
	}
	if c.AuditKey == "" {
		f = append(f, errNoAuditKey)
	}
	return errors.Join(f...)
}
