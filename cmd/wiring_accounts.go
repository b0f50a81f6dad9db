package cmd

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/platform/sealing"
)

func newAccounts(cfg *Config, pool *pgxpool.Pool, l ledger.Ledger) (*account.Store, error) {
	c := account.Config{PasswordsOff: cfg.Passwords == "off", Secrets: cfg.secrets(), Ledger: l, StaffTwoFactor: cfg.staffTwoFactor()}
	if cfg.JWKSURL != "" {
		verifier, err := account.NewHostVerifier(account.HostConfig{JWKSURL: cfg.JWKSURL, Issuer: cfg.Issuer, Audience: cfg.Audience})
		if err != nil {
			return nil, err
		}
		c.Host = verifier
	}
	return account.New(pool, c), nil
}

// secrets are the keys of DOCKET_SECRETS_KEY. The first one encrypts and binds.
func (c *Config) secrets() [][]byte {
	keys, _ := sealing.Split(c.SecretsKey) // faults has already reported what it cannot parse
	return keys
}

// accountAreas are the routes for signing in, for one's own account and for other accounts.
func (s *Server) accountAreas() []http.Area {
	sessions := http.SessionArea{
		Sessions: s.accounts, BaseURL: s.base, TrustedProxies: s.cfg.TrustedProxies,
		Production: s.cfg.Production(), PasswordsOff: s.cfg.Passwords == "off", OIDCName: s.cfg.oidcName(),
		Notices:   s.cfg.Notices == "on",
		Quality:   quality.New(s.db.Pool, s.ledger()),
		DemoForum: slices.ContainsFunc(s.registered.Content, func(c registry.RegisteredContent) bool { return c.PluginID == forum.ID }),
	}
	return []http.Area{
		sessions,
		http.OIDCArea{Provider: s.oidc, SignIn: s.signInByOIDC, Sessions: sessions},
		http.FactorArea{Factors: s.accounts, Required: s.cfg.staffTwoFactor()},
		http.AccountArea{Accounts: s.accounts, Sessions: sessions, Now: s.accounts.Now},
		http.ResetArea{Links: s.accounts, Sessions: sessions, SetUp: s.setUp},
		http.UserArea{Users: s.accounts, Staff: s.staff, BaseURL: s.base, ResetFactors: s.resetFactors, Delete: s.deleteAccount},
	}
}

// newOIDC returns the identity provider, or nil without one.
func newOIDC(cfg *Config) (*account.OIDC, error) {
	if cfg.OIDCIssuer == "" {
		return nil, nil
	}
	return account.NewOIDC(account.OIDCConfig{
		Issuer: cfg.OIDCIssuer, ClientID: cfg.OIDCClientID, ClientSecret: cfg.OIDCClientSecret, AdminGroup: cfg.OIDCAdminGroup,
	})
}

func (s *Server) signInByOIDC(ctx context.Context, login account.Login, r account.Returned, redirect string, c account.Client) (account.Session, error) {
	return s.accounts.SignInByOIDC(ctx, s.oidc, login, r, redirect, c, func(ctx context.Context, tx pgx.Tx, userID string) error {
		return s.staff.EnsureRoot(ctx, tx, userID, permission.Admin)
	})
}

// administrators returns the functions that check whether there is an administrator and create the first one.
func (s *Server) administrators() account.Administrators {
	return account.Administrators{Exist: s.staff.HasAdmin, Grant: func(ctx context.Context, tx pgx.Tx, userID string) error {
		return s.staff.EnsureRoot(ctx, tx, userID, permission.Admin, permission.Moderator)
	}}
}

// setUp creates the first administrator.
func (s *Server) setUp(ctx context.Context, token string, n account.NewUser, c account.Client) (account.User, error) {
	return s.accounts.SetUp(ctx, token, n, c, s.administrators())
}

// bindAccounts binds to their owners the sessions, tokens, links and recovery codes that are unbound,
// or bound by a former key.
func (s *Server) bindAccounts(ctx context.Context) error {
	n, err := s.accounts.Bind(ctx)
	if n > 0 {
		s.log.Warn().Int("bound", n).Msg("sessions, tokens and links from before are bound to their accounts; this follows an upgrade or another DOCKET_SECRETS_KEY")
	}
	return err
}

// printSetupLink prints a link to create the first administrator, if there is none.
func (s *Server) printSetupLink(ctx context.Context, stdout io.Writer, base *url.URL) error {
	link, err := s.accounts.SetupLink(ctx, base, s.administrators())
	if err == nil && link != "" {
		fmt.Fprintf(stdout, "docket setup %s\n", link)
		s.log.Warn().Msg("there is no administrator: open the link on standard output within an hour to make the first administrator")
	}
	return err
}
