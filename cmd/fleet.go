package cmd

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/fleet"
)

// announce keeps this server in the list of running servers, and its jobs and webhooks registered.
func (s *Server) announce(ctx context.Context) {
	fleet.Run(ctx, s.db.Pool, s.log, func() fleet.Server {
		return fleet.Server{Release: versionText(), Settings: s.sharedSettings(), Handles: s.queue.Handled()}
	}, func(ctx context.Context) error {
		return errors.Join(s.cron.Refresh(ctx), s.delivery.webhooks.Confirm(ctx, s.declared()...))
	})
}

// pluginsElsewhere returns the plugins that other running servers have and this one does not have in any version.
func (s *Server) pluginsElsewhere(ctx context.Context, tx pgx.Tx) ([]string, error) {
	var db postgres.Querier = s.db.Pool
	if tx != nil {
		db = tx
	}
	plugins, err := fleet.Plugins(ctx, db)
	return slices.DeleteFunc(plugins, func(id string) bool {
		return slices.ContainsFunc(s.plugins, func(p *registry.Declaration) bool { return p.ID == id })
	}), err
}

// sharedSettings returns the settings that all servers of one database should share, by variable. A setting
// that may hold a secret appears as set or not set, and the key for secrets as its keyName.
func (s *Server) sharedSettings() map[string]string {
	c := s.cfg
	plugins := domain.Map(s.plugins, func(p *registry.Declaration) string { return p.ID })
	slices.Sort(plugins)
	var manifests []string
	for _, p := range s.plugins {
		if digest := p.Digest(); digest != "" {
			manifests = append(manifests, p.ID+"@"+digest)
		}
	}
	slices.Sort(manifests)
	shared := map[string]string{
		"plugins":                      strings.Join(plugins, " "),
		"manifests":                    strings.Join(manifests, " "),
		"DOCKET_AUDIT_KEY":             auditKeys(append([]string{s.signer.Public}, c.AuditKnownKeys...)),
		"DOCKET_ENV":                   c.Environment,
		"DOCKET_BASE_URL":              c.BaseURL,
		"AUTH_JWKS_URL":                c.JWKSURL,
		"AUTH_ISSUER":                  c.Issuer,
		"AUTH_AUDIENCE":                c.Audience,
		"OIDC_ISSUER":                  c.OIDCIssuer,
		"OIDC_CLIENT_ID":               c.OIDCClientID,
		"OIDC_ADMIN_GROUP":             c.OIDCAdminGroup,
		"DOCKET_PASSWORDS":             c.Passwords,
		"DOCKET_STAFF_TWO_FACTOR":      c.StaffTwoFactor,
		"DOCKET_NOTICES":               c.Notices,
		"DOCKET_RETENTION":             c.Retention.String(),
		"DOCKET_DEADLINES":             fmt.Sprint(c.Deadlines),
		"DOCKET_CLAIM_TIMEOUT":         c.ClaimTimeout.String(),
		"DOCKET_APPEAL_DAYS":           fmt.Sprint(c.AppealDays),
		"DOCKET_STATEMENTS_DELAY":      c.StatementsDelay.String(),
		"DOCKET_WEBHOOK_ALLOW_PRIVATE": fmt.Sprint(c.WebhookAllowPrivate),
		"DOCKET_CORS_ORIGINS":          strings.Join(c.CORSOrigins, " "),
	}
	for name, value := range map[string]string{
		"SMTP_URL": c.SMTPURL, "DOCKET_BROKER_URL": c.BrokerURL, "DOCKET_SECRETS_KEY": c.SecretsKey, "DOCKET_AUDIT_URL": c.AuditURL,
		"DOCKET_STATEMENTS_URL": c.StatementsURL, "DOCKET_TRANSLATE_URL": c.TranslateURL,
	} {
		shared[name] = "set"
		if value == "" {
			shared[name] = "unset"
		}
	}
	if keys := c.secrets(); len(keys) > 0 {
		shared["DOCKET_SECRETS_KEY"] = "set (" + keyName(keys[0]) + ")"
	}
	return shared
}

// auditKeys names the public keys that a server verifies the log with. Servers with a key each have the same if they
// know each other's.
func auditKeys(public []string) string {
	var names []string
	for _, key := range public {
		if parts := strings.SplitN(key, "+", 3); len(parts) == 3 { // name, hash and key, as in package note
			names = append(names, parts[0]+"+"+parts[1])
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}

// keyName returns a fingerprint of a random key, which reveals nothing else about it.
func keyName(key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("docket servers"))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}
