package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/jackc/pgx/v5"
	"golang.org/x/oauth2"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

// OIDCConfig names the organisation's identity provider.
type OIDCConfig struct {
	Issuer       string // OIDC_ISSUER: https, or http to a loopback address
	ClientID     string // OIDC_CLIENT_ID
	ClientSecret string // OIDC_CLIENT_SECRET
	// AdminGroup is the group whose members become root administrators; "" means none.
	AdminGroup string
	Now        func() time.Time
}

// OIDC signs people in with an OpenID provider: authorization code with PKCE, state and nonce. It discovers the
// provider's addresses on first use, so that the provider may be down when the server starts. It is safe for concurrent
// use.
type OIDC struct {
	config   OIDCConfig
	client   *http.Client
	patience time.Duration // for all requests to a provider when a person returns from it

	mu       sync.Mutex
	provider *provider
	failed   error     // of the last discovery
	triedAt  time.Time // when it ended
}

// provider is the result of discovery.
type provider struct {
	*oidc.Provider
	verifier *HostVerifier
	scopes   []string
	foundAt  time.Time
}

const (
	oidcTimeout  = 10 * time.Second // of one request, and of all while a person waits
	oidcFreshFor = time.Hour        // of what discovery found
	oidcRetry    = 2 * time.Second  // between two discoveries that fail
	maxOIDC      = 1 << 20          // bytes of a response
)

// NewOIDC checks the configuration. It does not call the provider.
func NewOIDC(c OIDCConfig) (*OIDC, error) {
	if c.Issuer == "" || c.ClientID == "" || c.ClientSecret == "" {
		return nil, errors.New("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: one is missing")
	}
	if !domain.SecureURL(c.Issuer) {
		return nil, errors.New("OIDC_ISSUER must be an https URL: an attacker who changes its answers can sign in as anybody")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	client := egress.NewClient(egress.Options{Configured: true, Timeout: oidcTimeout, KeepAlive: true})
	client.Transport = limited{client.Transport}
	return &OIDC{config: c, client: client, patience: oidcTimeout}, nil
}

// limited bounds the responses that go-oidc and oauth2 read into memory.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxOIDC), response.Body}
	}
	return response, err
}

// wordless drops the body of a failed discovery, which go-oidc would quote in its error and so in the log.
type wordless struct{ http.RoundTripper }

func (w wordless) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.RoundTripper.RoundTrip(r)
	if err == nil && response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		response.Body = http.NoBody
	}
	return response, err
}

// Login is a sign-in that has begun. The browser stores it until the provider redirects back; it is not stored here.
type Login struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // of PKCE
	Next     string `json:"next"`     // the path to return to
}

// Begin returns a new sign-in and the provider's address for the browser. It returns unavailable if the provider does
// not respond.
func (o *OIDC) Begin(ctx context.Context, redirect, next string) (login Login, address string, err error) {
	p, err := o.discover(ctx)
	if err != nil {
		return Login{}, "", err
	}
	login = Login{State: NewSecret(), Nonce: NewSecret(), Verifier: oauth2.GenerateVerifier(), Next: next}
	return login, o.oauth(p, redirect).AuthCodeURL(login.State, oidc.Nonce(login.Nonce), oauth2.S256ChallengeOption(login.Verifier)), nil
}

// Returned are the parameters of the provider's redirect.
type Returned struct {
	State, Code, Error string
	Issuer             string // RFC 9207; "" if the provider does not send it
}

// finish returns the identity of the person who signed in. It returns unauthorized unless state, issuer, code and id
// token match the login, and unavailable if the provider does not respond within the patience.
func (o *OIDC) finish(ctx context.Context, login Login, r Returned, redirect string) (hostIdentity, error) {
	switch {
	case login.State == "" || subtle.ConstantTimeCompare([]byte(login.State), []byte(r.State)) != 1:
		return hostIdentity{}, refused("This sign-in did not begin in this browser, or took too long; try again.", errors.New("wrong state"))
	case r.Issuer != "" && r.Issuer != o.config.Issuer:
		return hostIdentity{}, refused(notSignedIn, fmt.Errorf("wrong issuer %q", r.Issuer))
	case r.Error != "":
		return hostIdentity{}, refused(notSignedIn, fmt.Errorf("the provider answered %q", r.Error))
	case r.Code == "":
		return hostIdentity{}, refused(notSignedIn, errors.New("no code"))
	}
	// The exchange of the code may send two requests, in two forms.
	ctx, cancel := context.WithTimeout(ctx, o.patience)
	defer cancel()
	p, err := o.discover(ctx)
	if err != nil {
		return hostIdentity{}, err
	}
	ctx = oidc.ClientContext(ctx, o.client)
	tokens, err := o.oauth(p, redirect).Exchange(ctx, r.Code, oauth2.VerifierOption(login.Verifier))
	if retrieve, ok := errors.AsType[*oauth2.RetrieveError](err); ok { // its text contains the whole response
		if status := retrieve.Response.StatusCode; status >= http.StatusInternalServerError {
			return hostIdentity{}, providerDown(fmt.Errorf("the provider answered %d for the code", status))
		}
		return hostIdentity{}, refused(notSignedIn, fmt.Errorf("the provider refused the code: %s", retrieve.ErrorCode))
	}
	if err != nil {
		return hostIdentity{}, providerDown(err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	id, err := p.verifier.verify(ctx, raw)
	if domain.ErrorCode(err) == domain.CodeUnavailable {
		return hostIdentity{}, providerDown(err)
	}
	if err == nil {
		err = id.belongs(login.Nonce, o.config.ClientID)
	}
	if err != nil {
		return hostIdentity{}, refused(notSignedIn, err)
	}
	if id.email == "" {
		o.complete(ctx, p, tokens, &id)
	}
	return id, nil
}

// belongs checks the claims that only the id token of a sign-in has: the nonce and the authorized party.
func (id hostIdentity) belongs(nonce, clientID string) error {
	if id.nonce == "" || subtle.ConstantTimeCompare([]byte(id.nonce), []byte(nonce)) != 1 {
		return errors.New("wrong nonce")
	}
	if id.party != "" && id.party != clientID || id.party == "" && id.audiences > 1 {
		return errors.New("wrong authorized party")
	}
	return nil
}

// complete reads name and email from the provider's userinfo, since some providers have them only there. A failure does
// not prevent the sign-in.
func (o *OIDC) complete(ctx context.Context, p *provider, tokens *oauth2.Token, id *hostIdentity) {
	if p.UserInfoEndpoint() == "" {
		return
	}
	info, err := p.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil || info.Subject != id.subject {
		return
	}
	var c map[string]any
	if info.Claims(&c) == nil {
		id.describe(c)
	}
}

func (o *OIDC) oauth(p *provider, redirect string) *oauth2.Config {
	scopes := []string{oidc.ScopeOpenID, "profile", "email"}
	if o.config.AdminGroup != "" && slices.Contains(p.scopes, "groups") {
		scopes = append(scopes, "groups")
	}
	return &oauth2.Config{ClientID: o.config.ClientID, ClientSecret: o.config.ClientSecret, Endpoint: p.Endpoint(), RedirectURL: redirect, Scopes: scopes}
}

// discover returns the provider's addresses and keys, cached for an hour. While the provider is down, the last ones are
// used.
func (o *OIDC) discover(ctx context.Context) (*provider, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.config.Now()
	if o.provider != nil && now.Sub(o.provider.foundAt) < oidcFreshFor {
		return o.provider, nil
	}
	if o.failed == nil || now.Sub(o.triedAt) >= oidcRetry {
		// Several requests wait for it, so it does not end with one of them, and they share its result.
		found, err := o.find(context.WithoutCancel(ctx))
		o.triedAt = o.config.Now()
		if o.failed = err; err == nil {
			o.provider = found
		}
	}
	if o.provider == nil {
		return nil, providerDown(o.failed)
	}
	return o.provider, nil
}

func (o *OIDC) find(ctx context.Context) (*provider, error) {
	quiet := *o.client
	quiet.Transport = wordless{quiet.Transport}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, &quiet), o.config.Issuer)
	if err != nil {
		return nil, fmt.Errorf("discover the provider: %w", err)
	}
	var claims struct {
		Keys   string   `json:"jwks_uri"`
		Scopes []string `json:"scopes_supported"`
	}
	if err := found.Claims(&claims); err != nil {
		return nil, fmt.Errorf("discover the provider: %w", err)
	}
	for name, address := range map[string]string{"authorization_endpoint": found.Endpoint().AuthURL, "token_endpoint": found.Endpoint().TokenURL} {
		if !domain.SecureURL(address) {
			return nil, fmt.Errorf("discover the provider: its %s is no https address", name)
		}
	}
	verifier, err := NewHostVerifier(HostConfig{JWKSURL: claims.Keys, Issuer: o.config.Issuer, Audience: o.config.ClientID, Now: o.config.Now})
	if err != nil {
		return nil, fmt.Errorf("discover the provider: its keys: %w", err)
	}
	return &provider{found, verifier, claims.Scopes, o.config.Now()}, nil
}

const notSignedIn = "You were not signed in; try again."

func refused(message string, cause error) error {
	return &domain.Error{Code: domain.CodeUnauthorized, Message: message, Cause: cause}
}

func providerDown(cause error) error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The sign-in service does not answer; try again shortly.", Cause: cause}
}

// SignInByOIDC starts a session for the person who signed in at the provider. The account is that of (iss, sub), as for
// the host platform's JWTs, and is created if it does not exist. For members of the admin group it calls grant in the
// same transaction. It returns unauthorized for an account that was deleted or is disabled, and the errors of OIDC.
func (s *Store) SignInByOIDC(ctx context.Context, o *OIDC, login Login, r Returned, redirect string, c Client,
	grant func(ctx context.Context, tx pgx.Tx, userID string) error) (Session, error) {
	id, err := o.finish(ctx, login, r, redirect)
	if err != nil {
		return Session{}, err
	}
	caller, err := s.hostCaller(ctx, id)
	if err != nil {
		return Session{}, err
	}
	user, err := s.FindByID(ctx, caller.UserID)
	if err != nil {
		return Session{}, err
	}
	session := s.newSession(user, c)
	session.way = wayOIDC
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if o.config.AdminGroup != "" && slices.Contains(id.groups, o.config.AdminGroup) {
			if err := grant(ctx, tx, user.ID); err != nil {
				return err
			}
		}
		return s.insertSession(ctx, tx, session)
	})
	if errors.Is(err, errNoAccount) {
		err = unauthorized()
	}
	return session, err
}
