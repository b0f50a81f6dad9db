package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

// HostConfig names the issuer of JWTs that Docket accepts.
type HostConfig struct {
	JWKSURL  string // AUTH_JWKS_URL: https, or http to a loopback address
	Issuer   string // AUTH_ISSUER: the exact `iss` of every token
	Audience string // AUTH_AUDIENCE: one of the `aud` of every token
	Now      func() time.Time
	// Egress restricts where the keys are fetched; nil means anywhere, through the proxy of the
	// environment, for an address that the operator has set.
	Egress *egress.Options
}

// algorithms are asymmetric only. With HMAC, the public key would be the secret.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// maxJWT is the longest accepted token, in bytes.
const maxJWT = 16 << 10

// HostVerifier verifies the host platform's JWTs with its key set. It is safe for concurrent use
// and starts no goroutine.
type HostVerifier struct {
	issuer   string
	keys     *keySet
	verifier *oidc.IDTokenVerifier
	now      func() time.Time
}

// NewHostVerifier checks the configuration. It does not fetch the key set, whose server
// may start later than this one.
func NewHostVerifier(c HostConfig) (*HostVerifier, error) {
	if c.Issuer == "" || c.Audience == "" || c.JWKSURL == "" {
		return nil, errors.New("AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE belong together: one is missing")
	}
	if len(c.Issuer) > maxClaim {
		return nil, fmt.Errorf("AUTH_ISSUER is longer than %d bytes", maxClaim)
	}
	if !domain.SecureURL(c.JWKSURL) {
		return nil, errors.New("AUTH_JWKS_URL must be https: an attacker who changes the keys can sign in as anybody")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Egress == nil {
		c.Egress = &egress.Options{Configured: true}
	}
	keys := newKeySet(c.JWKSURL, *c.Egress, c.Now)
	return &HostVerifier{issuer: c.Issuer, keys: keys, now: c.Now, verifier: oidc.NewVerifier(c.Issuer, keys, &oidc.Config{
		ClientID:             c.Audience,
		SupportedSigningAlgs: algorithms,
		Now:                  c.Now,
	})}, nil
}

// issuerName returns the issuer, or "" without a verifier.
func (v *HostVerifier) issuerName() string {
	if v == nil {
		return ""
	}
	return v.issuer
}

// hostIdentity is the identity in a valid token.
type hostIdentity struct {
	issuer, subject string
	name, email     string // for a new account; name is "" without a usable one, email unless the host has verified it

	// For the id token of a sign-in.
	groups    []string
	nonce     string
	party     string // azp, the client that the token was made for
	audiences int
}

// verify returns unauthorized for an invalid token, or unavailable if the host's keys cannot be
// fetched, so that its outage does not sign anybody out.
func (v *HostVerifier) verify(ctx context.Context, token string) (hostIdentity, error) {
	id, err := v.identity(ctx, token)
	if err == nil {
		return id, nil
	}
	if v.keys.unavailable() && !errors.Is(err, errNoJWT) {
		return hostIdentity{}, &domain.Error{Code: domain.CodeUnavailable, Message: "The host platform's keys cannot be fetched; try again shortly.", Cause: err}
	}
	return hostIdentity{}, refused(invalidToken, err)
}

// errNoJWT is the error for text that is not a JWT.
var errNoJWT = errors.New("not a JWT in its compact form")
