package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
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
	// It is a map, since decoding into a struct ignores the case of names. The claims that go-oidc decoded this way are
	// checked by name.
	var claims map[string]any
	if err := verified.Claims(&claims); err != nil {
		return hostIdentity{}, fmt.Errorf("verify JWT: %w", err)
	}
	if claims["iss"] != verified.Issuer || claims["sub"] != verified.Subject {
		return hostIdentity{}, errors.New("verify JWT: `iss` or `sub` is there in capitals too")
	}
	// go-oidc tolerates five minutes.
	if from, err := strconv.ParseFloat(fmt.Sprint(claims["nbf"]), 64); err == nil && float64(v.now().Add(notBeforeLeeway).Unix()) < from {
		return hostIdentity{}, errors.New("verify JWT: it is not valid yet")
	}
	id := hostIdentity{issuer: verified.Issuer, subject: verified.Subject, audiences: len(verified.Audience)}
	id.nonce, _ = claims["nonce"].(string)
	id.party, _ = claims["azp"].(string)
	groups, _ := claims["groups"].([]any)
	for _, group := range groups {
		if name, ok := group.(string); ok {
			id.groups = append(id.groups, name)
		}
	}
	id.describe(claims)
	return id, nil
}

// describe sets the person's name and verified email. An unusable claim does not make a valid token
// invalid.
func (id *hostIdentity) describe(claims map[string]any) {
	email, _ := claims["email"].(string)
	email = strings.TrimSpace(email)
	if claims["email_verified"] == true && checkEmail("", email) == nil {
		id.email = email
	}
	if name := displayName(claims["name"], claims["preferred_username"]); name != "" {
		id.name = name
	}
}

// label returns the name for a new account.
func (id hostIdentity) label() string {
	return cmp.Or(id.name, displayName(id.email), "Member")
}

// displayName returns the first usable claim as a name, truncated to the limit, or "".
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
	return ""
}
