package account

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/docketmod/docket/domain"
)

// HostConfig says whose JWTs open Docket (contract section 2).
type HostConfig struct {
	JWKSURL  string // AUTH_JWKS_URL: https, or http to a loopback address
	Issuer   string // AUTH_ISSUER: the `iss` of every token, to the letter
	Audience string // AUTH_AUDIENCE: one of the `aud` of every token
	Now      func() time.Time
}

// algorithms are the asymmetric ones. HMAC is not among them: the public key
// would be its secret.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// maxJWT bounds a token, in bytes, before anything reads it.
const maxJWT = 16 << 10

// maxClaim bounds `iss`, `sub` and the like, in bytes; they become index keys.
const maxClaim = 1000

// HostVerifier verifies JWTs of the host platform by its key set. It is safe
// for concurrent use and starts no goroutine.
type HostVerifier struct {
	keys     *keySet
	verifier *oidc.IDTokenVerifier
}

// NewHostVerifier checks the configuration; it does not call the key set, whose
// server may start later than this one.
func NewHostVerifier(c HostConfig) (*HostVerifier, error) {
	if c.Issuer == "" || c.Audience == "" || c.JWKSURL == "" {
		return nil, errors.New("AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE belong together: one is missing")
	}
	if len(c.Issuer) > maxClaim {
		return nil, fmt.Errorf("AUTH_ISSUER is longer than %d bytes", maxClaim)
	}
	u, err := url.Parse(c.JWKSURL)
	if err != nil || u.Host == "" {
		return nil, errors.New("AUTH_JWKS_URL is not an absolute URL")
	}
	if u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
		return nil, errors.New("AUTH_JWKS_URL must be https: whoever can change the keys on the way can be anybody")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	keys := newKeySet(c.JWKSURL, c.Now)
	return &HostVerifier{keys: keys, verifier: oidc.NewVerifier(c.Issuer, keys, &oidc.Config{
		ClientID:             c.Audience,
		SupportedSigningAlgs: algorithms,
		Now:                  c.Now,
	})}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// hostIdentity is who a valid token speaks for.
type hostIdentity struct {
	issuer, subject string
	name, email     string // for an account made now; email "" when the host has not verified it
}

// verify gives a domain error: unauthorized, or unavailable when the host's
// keys cannot be had, so that an outage there signs nobody out.
func (v *HostVerifier) verify(ctx context.Context, token string) (hostIdentity, error) {
	id, err := v.identity(ctx, token)
	if err == nil {
		return id, nil
	}
	e := domain.Errorf(domain.CodeUnauthorized, "%s", invalidToken)
	if v.keys.unavailable() && !errors.Is(err, errNoJWT) {
		e = domain.Errorf(domain.CodeUnavailable, "The host platform's keys cannot be fetched; try again shortly.")
	}
	e.Cause = err
	return hostIdentity{}, e
}

// errNoJWT is of text that no key could verify.
var errNoJWT = errors.New("not a JWT in its compact form")

func (v *HostVerifier) identity(ctx context.Context, token string) (hostIdentity, error) {
	if len(token) > maxJWT || strings.Count(token, ".") != 2 {
		return hostIdentity{}, errNoJWT
	}
	verified, err := v.verifier.Verify(ctx, token)
	if err != nil {
		return hostIdentity{}, fmt.Errorf("verify JWT: %w", err)
	}
	if verified.Subject == "" || len(verified.Subject) > maxClaim || !storable(verified.Subject) {
		return hostIdentity{}, errors.New("verify JWT: no usable `sub`")
	}
	// Claims about the person are no reason to refuse a valid token.
	var claims struct {
		Name              any `json:"name"`
		PreferredUsername any `json:"preferred_username"`
		Email             any `json:"email"`
		EmailVerified     any `json:"email_verified"`
	}
	if err := verified.Claims(&claims); err != nil {
		return hostIdentity{}, fmt.Errorf("verify JWT: %w", err)
	}
	id := hostIdentity{issuer: verified.Issuer, subject: verified.Subject}
	email, _ := claims.Email.(string)
	email = strings.TrimSpace(email)
	if unverified, given := claims.EmailVerified.(bool); (!given || unverified) && checkEmail("", email) == nil {
		id.email = email
	}
	id.name = displayName(claims.Name, claims.PreferredUsername, id.email)
	return id, nil
}

// displayName is the first of the claims that can be a name, cut to fit.
func displayName(claims ...any) string {
	for _, claim := range claims {
		name, _ := claim.(string)
		name, _, _ = strings.Cut(name, "@") // nobody's address is shown to members
		name = strings.TrimSpace(name)
		if utf8.RuneCountInString(name) > maxName {
			name = strings.TrimSpace(string([]rune(name)[:maxName]))
		}
		if checkName("", name) == nil {
			return name
		}
	}
	return "Member"
}
