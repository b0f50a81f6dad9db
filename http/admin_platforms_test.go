package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/forum"
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
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { defer close(stopped); other.Run(ctx) }()
	t.Cleanup(func() { stop(); <-stopped; require.NoError(t, other.Close()) })
	elsewhere := *b
	elsewhere.server = httptest.NewServer(other.Handler())
	t.Cleanup(elsewhere.server.Close)
	return &elsewhere
}

func TestAPlatformIsConnectedWithoutARestart(t *testing.T) {
	t.Parallel()
	shop := newRemoteShop(t)
	b, admin := newPlatforms(t)
	elsewhere := b.besides()

	member := b.member(1)
	member.reportsReview("7").status(nethttp.StatusBadRequest)
	made := admin.put("/admin/platforms/shop", map[string]any{"manifest": shop.manifest("review")}).status(nethttp.StatusCreated)
	shop.knows(made.body["secret"])
	require.Equal(t, []any{"shop.review"}, made.body["types"])
	require.Equal(t, "serving", made.body["state"])
	require.EqualValues(t, 1, made.body["version"])
	member.reportsReview("7").status(nethttp.StatusCreated)

	t.Log("the other server serves it too")
	there := elsewhere.member(2)
	pgtest.Eventually(t, func() bool { return there.reportsReview("7").code == nethttp.StatusCreated }, "the other server knows the type")

	t.Log("what is off is as a plugin that is not there")
	admin.post("/admin/platforms/shop/off", nil).status(nethttp.StatusOK)
	member.reportsReview("8").status(nethttp.StatusBadRequest)
	pgtest.Eventually(t, func() bool { return there.reportsReview("8").code == nethttp.StatusBadRequest }, "nor does the other server")
	root := b.admin("Root")
	require.NotContains(t, fmt.Sprint(root.get("/moderation/target-types").status(nethttp.StatusOK).body), "shop.review")
	admin.post("/admin/platforms/shop/on", nil).status(nethttp.StatusOK)
	member.reportsReview("8").status(nethttp.StatusCreated)
}

func (c *client) put(path string, body any) *answer {
	c.b.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(c.b.t, err)
	return c.do(nethttp.MethodPut, path, "application/json", encoded)
}
