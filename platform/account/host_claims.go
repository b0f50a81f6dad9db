package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// notBeforeLeeway is how far the host's clock may be ahead of this one.
const notBeforeLeeway = time.Minute

// maxClaim bounds `iss`, `sub` and the like, in bytes; they become index keys.
const maxClaim = 1000

// identity verifies a token and reads its claims.
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
	var claims struct {
		personClaims
		NotBefore json.Number `json:"nbf"`
		Groups    any         `json:"groups"`
		Party     any         `json:"azp"`
	}
	if err := verified.Claims(&claims); err != nil {
		return hostIdentity{}, fmt.Errorf("verify JWT: %w", err)
	}
	// go-oidc tolerates five minutes.
	if from, err := claims.NotBefore.Float64(); err == nil && float64(v.now().Add(notBeforeLeeway).Unix()) < from {
		return hostIdentity{}, errors.New("verify JWT: it is not valid yet")
	}
	id := hostIdentity{issuer: verified.Issuer, subject: verified.Subject, nonce: verified.Nonce, audiences: len(verified.Audience)}
	id.party, _ = claims.Party.(string)
	if groups, ok := claims.Groups.([]any); ok {
		for _, group := range groups {
			if name, ok := group.(string); ok {
				id.groups = append(id.groups, name)
			}
		}
	}
	id.describe(claims.personClaims)
	return id, nil
}

// personClaims are claims of any type, since an unusable one is no reason to refuse a
// valid token.
type personClaims struct {
	Name              any `json:"name"`
	PreferredUsername any `json:"preferred_username"`
	Email             any `json:"email"`
	EmailVerified     any `json:"email_verified"`
}

// describe takes the person's name and verified email.
func (id *hostIdentity) describe(c personClaims) {
	email, _ := c.Email.(string)
	email = strings.TrimSpace(email)
	if verified, _ := c.EmailVerified.(bool); verified && checkEmail("", email) == nil {
		id.email = email
	}
	id.name = displayName(c.Name, c.PreferredUsername, id.email)
}

// displayName returns the first usable claim as a name, cut to fit.
func displayName(claims ...any) string {
	for _, claim := range claims {
		name, _ := claim.(string)
		name, _, _ = strings.Cut(name, "@") // members never see an email address
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
