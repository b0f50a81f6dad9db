package account

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/docketmod/docket/domain/permission"
)

// PlatformIssuer signs the JWTs of one platform's members.
type PlatformIssuer struct {
	PluginID string
	Verifier *HostVerifier
}

// AcceptIssuers replaces the issuers of platforms, by `iss`, besides that of the host platform. It may be called while
// requests are served.
func (s *Store) AcceptIssuers(all map[string]PlatformIssuer) { s.issuers.Store(&all) }

// HasIssuer reports whether the plugin's platform has its own issuer.
func (s *Store) HasIssuer(pluginID string) bool {
	if all := s.issuers.Load(); all != nil {
		for _, p := range *all {
			if p.PluginID == pluginID {
				return true
			}
		}
	}
	return false
}

// platformIssuer returns the platform whose issuer a token claims to be from.
func (s *Store) platformIssuer(token string) (p PlatformIssuer, ok bool) {
	all := s.issuers.Load()
	if all == nil || len(*all) == 0 || len(token) > maxJWT {
		return p, false
	}
	_, rest, _ := strings.Cut(token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return p, false
	}
	var claims struct {
		Issuer string `json:"iss"`
	}
	if json.Unmarshal(raw, &claims) != nil {
		return p, false
	}
	p, ok = (*all)[claims.Issuer]
	return p, ok
}

// authenticateMember finds the account of a platform's member, or creates it. Its identity is by plugin and not by the
// issuer's name, so that a platform can only name its own members. Email and staff permissions are left out: a platform
// vouches for reporters only.
func (s *Store) authenticateMember(ctx context.Context, p PlatformIssuer, token string) (*permission.Caller, error) {
	id, err := p.Verifier.verify(ctx, token)
	if err != nil {
		return nil, err
	}
	caller, err := s.hostCaller(ctx, hostIdentity{issuer: PluginIssuer(p.PluginID), subject: id.subject, name: id.label()})
	if err != nil {
		return nil, err
	}
	caller.Admin, caller.Moderator, caller.Member = nil, nil, true
	return caller, nil
}
