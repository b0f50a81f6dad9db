package http_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// newIssuer signs the JWTs of a platform's members, and returns what a manifest says of it.
func newIssuer(t *testing.T, b *bundle) (manifest string, member func(subject string) *client) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	keys := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	}))
	t.Cleanup(keys.Close)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "1"))
	require.NoError(t, err)
	return fmt.Sprintf("issuer: {jwksUrl: %q, issuer: \"https://shop.test\", audience: docket}\n", keys.URL), func(subject string) *client {
		signed, err := signer.Sign(fmt.Appendf(nil, `{"iss": "https://shop.test", "aud": "docket", "sub": %q, "name": "Member", "iat": %d, "exp": %d}`,
			subject, time.Now().Unix(), time.Now().Add(time.Hour).Unix()))
		require.NoError(t, err)
		token, err := signed.CompactSerialize()
		require.NoError(t, err)
		return &client{b: b, header: nethttp.Header{"Authorization": {"Bearer " + token}}}
	}
}

// Whoever runs a platform signs for any of its members, also for one that was made an administrator.
func TestAPlatformsMemberMakesNoTokens(t *testing.T) {
	t.Parallel()
	b, admin := newPlatforms(t)
	issuer, member := newIssuer(t, b)
	admin.put("/admin/platforms/shop", map[string]any{"manifest": newRemoteShop(t).manifest("review") + issuer}).status(nethttp.StatusCreated)
	mallory := member("u1")
	id := mallory.get("/users/session").status(nethttp.StatusOK).body["user"].(map[string]any)["id"].(string)
	for _, kind := range []permission.Kind{permission.Admin, permission.Moderator} {
		require.NoError(t, b.staff.Ensure(t.Context(), kind, id, permission.Entry{Unrestricted: true}))
	}
	mallory.get("/users/tokens").status(nethttp.StatusOK)
	for _, use := range []string{"read", "moderate", "admin"} {
		refused := mallory.post("/users/tokens", map[string]any{"use": use}).fault(nethttp.StatusForbidden, "forbidden")
		require.Contains(t, refused.body["message"], "makes no tokens")
	}
	require.Zero(t, b.count(`SELECT count(*) FROM core_api_tokens`))
	for _, path := range []string{"/admin/users", "/admin/platforms", "/moderation/reports"} {
		mallory.get(path).fault(nethttp.StatusForbidden, "forbidden")
	}
}

// Given content of the author u1, who is one person at the host platform and another at the shop, then
// the decision is told to the one whom the shop means.
func TestADecisionIsOfThePlatformsOwnAuthor(t *testing.T) {
	t.Parallel()
	b := newBundleWith(t, map[string]string{"DOCKET_WEBHOOK_ALLOW_PRIVATE": "true",
		"AUTH_JWKS_URL": "http://127.0.0.1:1/keys", "AUTH_ISSUER": "https://members.test", "AUTH_AUDIENCE": "docket"})
	admin, host := b.admin("Platforms", permission.AreaPlatforms), b.member(3)
	pgtest.Exec(t, b.pool, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) VALUES ('https://members.test', 'u1', $1, now())`, b.members[3])
	id := b.user("Mo")
	require.NoError(t, b.staff.Ensure(t.Context(), permission.Moderator, id, permission.Entry{Unrestricted: true}))
	moderator := b.session(id)
	shop := newRemoteShop(t)
	shop.author = "u1"
	shop.knows(admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review")}).status(nethttp.StatusCreated).body["secret"])
	decided := func(review string) string {
		t.Helper()
		report := b.member(1).reportsReview(review).status(nethttp.StatusCreated).body["id"].(string)
		moderator.post("/moderation/reports/"+report+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken"}).status(nethttp.StatusOK)
		return report
	}
	first := decided("7")
	host.get("/users/decisions/" + first).status(nethttp.StatusOK)

	t.Log("once the shop has an issuer, its u1 is nobody of the host platform")
	issuer, member := newIssuer(t, b)
	admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review") + issuer}).status(nethttp.StatusOK)
	second := decided("8")
	host.get("/users/decisions/"+second).fault(nethttp.StatusNotFound, "not_found")
	require.Empty(t, host.get("/users/decisions").status(nethttp.StatusOK).edges())
	u1 := member("u1")
	u1.get("/users/decisions/" + second).status(nethttp.StatusOK)
	require.Len(t, u1.get("/users/decisions").status(nethttp.StatusOK).edges(), 2)

	t.Log("also while the shop is off")
	admin.post("/admin/platforms/shop/off", nil).status(nethttp.StatusOK)
	host.get("/users/decisions/"+second).fault(nethttp.StatusNotFound, "not_found")
}
