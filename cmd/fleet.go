package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/fleet"
)

// announce keeps this server in the list of those that run, and its jobs and webhooks registered.
func (s *Server) announce(ctx context.Context) {
	fleet.Run(ctx, s.db.Pool, s.log, func() fleet.Server {
		return fleet.Server{Release: versionText(), Settings: s.sharedSettings(), Handles: s.queue.Handled()}
	}, func(ctx context.Context) error {
		return errors.Join(s.cron.Refresh(ctx), s.delivery.webhooks.Confirm(ctx, s.declared()...))
	})
}

// sharedSettings returns, by variable, the settings that all servers on one database should have in common. Of
// a setting that may hold a secret it says only whether it is set.
func (s *Server) sharedSettings() map[string]string {
	c := s.cfg
	plugins := domain.Map(s.plugins, func(p *registry.Declaration) string { return p.ID })
	slices.Sort(plugins)
	shared := map[string]string{
		"plugins":                      strings.Join(plugins, " "),
		"DOCKET_ENV":                   c.Environment,
		"DOCKET_BASE_URL":              c.BaseURL,
		"AUTH_ISSUER":                  c.Issuer,
		"AUTH_AUDIENCE":                c.Audience,
		"OIDC_ISSUER":                  c.OIDCIssuer,
		"OIDC_ADMIN_GROUP":             c.OIDCAdminGroup,
		"DOCKET_PASSWORDS":             c.Passwords,
		"DOCKET_NOTICES":               c.Notices,
		"DOCKET_RETENTION":             c.Retention.String(),
		"DOCKET_DEADLINES":             fmt.Sprint(c.Deadlines),
		"DOCKET_CLAIM_TIMEOUT":         c.ClaimTimeout.String(),
		"DOCKET_APPEAL_DAYS":           fmt.Sprint(c.AppealDays),
		"DOCKET_WEBHOOK_ALLOW_PRIVATE": fmt.Sprint(c.WebhookAllowPrivate),
		"DOCKET_CORS_ORIGINS":          strings.Join(c.CORSOrigins, " "),
	}
	for name, value := range map[string]string{
		"SMTP_URL": c.SMTPURL, "DOCKET_BROKER_URL": c.BrokerURL, "DOCKET_SECRETS_KEY": c.SecretsKey, "DOCKET_AUDIT_URL": c.AuditURL,
	} {
		shared[name] = "set"
		if value == "" {
			shared[name] = "unset"
		}
	}
	return shared
}
