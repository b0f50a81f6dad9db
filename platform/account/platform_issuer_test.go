package account

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/egress"
)

// platformOf returns a platform with a key of its own, whose issuer has the name.
func platformOf(t *testing.T, b *bundle, pluginID, issuer string, o *egress.Options) (PlatformIssuer, hostKey) {
	t.Helper()
	key := newHostKey(t, "k", jose.ES256)
	v, err := NewHostVerifier(HostConfig{JWKSURL: newHostPlatform(t, key).url, Issuer: issuer, Audience: hostAudience, Now: b.clock.Now, Egress: o})
	require.NoError(t, err)
	return PlatformIssuer{PluginID: pluginID, Verifier: v}, key
}

func everywhere() *egress.Options { return &egress.Options{Allow: egress.Everywhere()} }

func TestTwoPlatformsHaveAnIssuerEach(t *testing.T) {
	t.Parallel()
	b, ofHost := setupHost(t)
	shop, shopKey := platformOf(t, b, "shop", "https://shop.test", everywhere())
	mall, mallKey := platformOf(t, b, "mall", "https://mall.test", everywhere())
	b.AcceptIssuers(map[string]PlatformIssuer{"https://shop.test": shop, "https://mall.test": mall})
	ids := map[string]bool{}
	for issuer, key := range map[string]hostKey{hostIssuer: ofHost, "https://shop.test": shopKey, "https://mall.test": mallKey} {
		caller, err := b.Authenticate(t.Context(), Credentials{Bearer: key.sign(t, map[string]any{"iss": issuer})})
		require.NoError(t, err, issuer)
		again := b.caller(t, Credentials{Bearer: key.sign(t, map[string]any{"iss": issuer})})
		require.Equal(t, caller.UserID, again.UserID)
		ids[caller.UserID] = true
	}
	require.Len(t, ids, 3, "the same sub is another person at each")

	t.Log("the member that the platform's server names is the same person")
	member, err := b.Member(t.Context(), "shop", "user-1", "Grace")
	require.NoError(t, err)
	caller := b.caller(t, Credentials{Bearer: shopKey.sign(t, map[string]any{"iss": "https://shop.test"})})
	require.Equal(t, member.UserID, caller.UserID)

	t.Log("an issuer that is gone is accepted no more")
	b.AcceptIssuers(map[string]PlatformIssuer{"https://mall.test": mall})
	_, err = b.Authenticate(t.Context(), Credentials{Bearer: shopKey.sign(t, map[string]any{"iss": "https://shop.test"})})
	requireCode(t, domain.CodeUnauthorized, err)
}

// Somebody who runs a platform signs whatever they like.
func TestAPlatformNamesItsOwnMembersOnly(t *testing.T) {
	t.Parallel()
	b, hostKey := setupHost(t)
	evil, evilKey := platformOf(t, b, "evil", "https://evil.test", everywhere())
	shop, _ := platformOf(t, b, "shop", "https://shop.test", everywhere())
	b.AcceptIssuers(map[string]PlatformIssuer{"https://evil.test": evil, "https://shop.test": shop})
	host := b.caller(t, Credentials{Bearer: hostKey.sign(t, nil)})
	b.staff(t, "admin", host.UserID, true, "[]")

	for _, issuer := range []string{hostIssuer, "https://shop.test", "plugin:shop", "https://EVIL.test", "https://evil.test/", ""} {
		requireCode(t, domain.CodeUnauthorized, b.opens(t, evilKey.sign(t, map[string]any{"iss": issuer})))
	}
	requireCode(t, domain.CodeUnauthorized, b.opens(t, evilKey.sign(t, map[string]any{"iss": "https://evil.test", "aud": "another"})))

	t.Log("neither an email nor a staff entry makes its member more than a member")
	caller := b.caller(t, Credentials{Bearer: evilKey.sign(t, map[string]any{"iss": "https://evil.test", "email": "new@admins.test"})})
	require.Empty(t, caller.Email)
	require.NotEqual(t, host.UserID, caller.UserID)
	b.staff(t, "admin", caller.UserID, true, "[]")
	b.staff(t, "moderator", caller.UserID, true, "[]")
	caller = b.caller(t, Credentials{Bearer: evilKey.sign(t, map[string]any{"iss": "https://evil.test"})})
	require.Nil(t, caller.Admin)
	require.Nil(t, caller.Moderator)
	require.Equal(t, permission.UseAdmin, caller.Use)

	t.Log("nor does a token, which would be good for all that the account may do")
	for _, use := range []permission.Use{"", permission.UseRead, permission.UseModerate, permission.UseAdmin} {
		_, _, err := b.CreateOwnToken(t.Context(), caller, "", NewToken{Use: use})
		requireCode(t, domain.CodeForbidden, err)
	}
	require.Zero(t, b.count(t, "SELECT count(*) FROM core_api_tokens"))
}

// The address of the keys comes from the panel, so that it must not lead into the server's network.
func TestKeysOfAPlatformAreNotFetchedFromPrivateNetworks(t *testing.T) {
	t.Parallel()
	b, _ := setupHost(t)
	asked := make(chan struct{}, 1)
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{} }))
	t.Cleanup(inside.Close)
	v, err := NewHostVerifier(HostConfig{JWKSURL: inside.URL, Issuer: "https://shop.test", Audience: hostAudience, Now: b.clock.Now, Egress: &egress.Options{}})
	require.NoError(t, err)
	b.AcceptIssuers(map[string]PlatformIssuer{"https://shop.test": {"shop", v}})
	_, err = b.Authenticate(t.Context(), Credentials{Bearer: newHostKey(t, "k", jose.ES256).sign(t, map[string]any{"iss": "https://shop.test"})})
	requireCode(t, domain.CodeUnavailable, err)
	require.Empty(t, asked)
}
