package cmd

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// minCronSecret is how many characters CRON_SECRET needs in production.
const minCronSecret = 16

// errNoAuditKey refuses to make a key in production, where it must outlive any disk.
var errNoAuditKey = errors.New("DOCKET_AUDIT_KEY: production needs the key that signs events; docket audit key prints a new one")

// insecure returns the reasons to refuse production.
func (c *Config) insecure() error {
	var faults []error
	if c.DefaultCronSecret() {
		faults = append(faults, errors.New("CRON_SECRET: the default is publicly known; production needs a secret of its own"))
	} else if utf8.RuneCountInString(c.CronSecret) < minCronSecret {
		faults = append(faults, fmt.Errorf("CRON_SECRET: production needs at least %d characters", minCronSecret))
	}
	if !strings.HasPrefix(c.BaseURL, "https://") {
		faults = append(faults, errors.New("DOCKET_BASE_URL: production needs the https address of the service"))
	}
	if c.JWKSURL != "" && !strings.HasPrefix(c.JWKSURL, "https://") {
		faults = append(faults, errors.New("AUTH_JWKS_URL: production needs https, since an attacker who changes the keys can sign in as anybody"))
	}
	if c.OIDCIssuer != "" && !strings.HasPrefix(c.OIDCIssuer, "https://") {
		faults = append(faults, errors.New("OIDC_ISSUER: production needs https, since an attacker who changes its answers can sign in as anybody"))
	}
	if c.AuditURL != "" && !strings.HasPrefix(c.AuditURL, "https://") {
		faults = append(faults, errors.New("DOCKET_AUDIT_URL: production needs https, since the address may hold a secret"))
	}
	if c.StatementsURL != "" && !strings.HasPrefix(c.StatementsURL, "https://") {
		faults = append(faults, errors.New("DOCKET_STATEMENTS_URL: production needs https, since the token goes there"))
	}
	if c.AuditKey == "" {
		faults = append(faults, errNoAuditKey)
	}
	return errors.Join(faults...)
}
