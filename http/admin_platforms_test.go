package http_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/platformtest"
)

// remoteShop is a platform that holds reviews, and knows a secret.
type remoteShop struct {
	*httptest.Server
	mu     sync.Mutex
	secret string
	title  string
	author string // "" for none
}

func newRemoteShop(t *testing.T) *remoteShop {
	t.Helper()
	s := &remoteShop{title: "Great"}
	s.Server = httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		s.mu.Lock()
		secret, title, authors := s.secret, s.title, []any{}
		if s.author != "" {
			authors = append(authors, map[string]any{"subject": s.author, "name": "Writer"})
		}
		s.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err != nil || verifier.Verify(body, r.Header) != nil {
			w.WriteHeader(nethttp.StatusUnauthorized)
			return
		}
		switch strings.TrimPrefix(r.URL.Path, "/docket/") {
		case "capture":
			_ = json.NewEncoder(w).Encode(map[string]any{"fields": map[string]any{"title": title, "body": "<p>Buy</p>"}, "authors": authors})
		case "current":
			fmt.Fprint(w, `{"hidden": false, "actions": {"hide": true}}`)
		default:
			w.WriteHeader(nethttp.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *remoteShop) knows(secret any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret, _ = secret.(string)
}

func (s *remoteShop) manifest(types ...string) string {
	manifest := "id: shop\nremote: {url: \"" + s.URL + "/docket\", timeout: 1s}\nremoteTypes:\n"
	for _, name := range types {
		manifest += "  - id: shop." + name + "\n    label: shop." + name + "\n    permissionModule: reviews\n    key: {kind: bigint}\n" +
			"    fields: {title: {kind: text}, body: {kind: richText}}\n    reports: true\n    actions: [{name: hide, undo: unhide, permission: can_hide}]\n"
	}
	return manifest
}

// newPlatforms is a bundle that may reach this machine, and an administrator of platforms.
func newPlatforms(t *testing.T) (*bundle, *client) {
	t.Helper()
	b := newBundleWith(t, map[string]string{"DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"})
	return b, b.admin("Platforms", permission.AreaPlatforms)
}

func (c *client) reportsReview(id string) *answer {
	return c.post("/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.review", "targetId": id, "reason": "spam"})
}

// besides starts another server over the same database, which also runs tasks.
func (b *bundle) besides() *bundle {
	t := b.t
	t.Helper()
	other, err := cmd.NewServer(t.Context(), map[string]string{"DATABASE_URL": b.pool.Config().ConnString(), "DOCKET_BASE_URL": "http://docket.test",
		"DOCKET_DATA_DIR": t.TempDir(), "LOG_LEVEL": "error", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}, io.Discard, source(forum.Plugin))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	platformtest.Run(t, other.Run)
	elsewhere := *b
	elsewhere.server = httptest.NewServer(other.Handler())
	t.Cleanup(elsewhere.server.Close)
	return &elsewhere
}

func (c *client) put(path string, body any) *answer {
	c.b.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(c.b.t, err)
	return c.do(nethttp.MethodPut, path, "application/json", encoded)
}

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
	moderator := b.unlimited("Mo")
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
}
