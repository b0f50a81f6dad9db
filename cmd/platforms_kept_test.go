package cmd

import (
	"encoding/json"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"slices"
	"syscall"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// What a platform does for a report it does also when it is connected in the panel, and a server
// that starts later knows it at once.
func TestAnActionOnAPlatformOfThePanel(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true", "DOCKET_SECRETS_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}
	p := startProcess(t, environment, "demo")
	admin, member := p.signIn("admin@demo.test"), p.signIn("member1@demo.test")
	manifest, err := os.ReadFile(shopManifest(t, s.server.URL))
	require.NoError(t, err)
	connected := p.must(admin, nethttp.MethodPut, "/admin/platforms/shop", map[string]string{"manifest": string(manifest)})
	s.webhook, err = standardwebhooks.NewWebhook(connected["secret"].(string))
	require.NoError(t, err)

	status, filed := reportReview(t, p, member, "7")
	require.Equal(t, nethttp.StatusCreated, status, filed)
	report := filed["id"].(string)
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+report+"/actions/hide", map[string]int{"expectedVersion": 1})
	pgtest.Eventually(t, func() bool { return slices.Contains(timelineTypes(readReport(t, p, admin, report)), "action") }, "the action is done")
	s.mu.Lock()
	require.True(t, s.hidden["7"])
	s.mu.Unlock()
	families := p.must(admin, nethttp.MethodGet, "/moderation/scopes?family=shop.department", nil)["items"].([]any)
	require.Len(t, families, 1)
	require.Contains(t, docket(t, environment, "doctor").stdout, "There is something to moderate")

	p.end(syscall.SIGTERM)
	p = startProcess(t, environment, "demo")
	admin, member = p.signIn("admin@demo.test"), p.signIn("member2@demo.test")
	status, filed = reportReview(t, p, member, "8")
	require.Equal(t, nethttp.StatusCreated, status, filed)

	t.Log("its reports stay when it is off")
	p.must(admin, nethttp.MethodPost, "/admin/platforms/shop/off", nil)
	status, _ = reportReview(t, p, member, "9")
	require.Equal(t, nethttp.StatusBadRequest, status)
	gone := p.must(admin, nethttp.MethodGet, "/moderation/reports/"+report, nil)
	require.Nil(t, gone["target"].(map[string]any)["current"])
	require.Empty(t, gone["actions"])
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+report+"/claim", map[string]any{"expectedVersion": gone["version"]})
}

// A subject of the host platform would be another person at a platform with members of its own.
func TestAPlatformWithAnIssuerIsToldItsOwnIDsOnly(t *testing.T) {
	t.Parallel()
	told := make(chan any, 1)
	platform := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		var q struct{ Reporter map[string]any }
		_ = json.NewDecoder(r.Body).Decode(&q)
		told <- q.Reporter["subject"]
		_, _ = w.Write([]byte(`{"fields": {"title": "Great"}}`))
	}))
	t.Cleanup(platform.Close)
	environment, member := newIdentity(t)
	p := startProcess(t, with(environment, "DATABASE_URL", pgtest.URL(t), "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true"), "demo")
	admin, uma := p.signIn("admin@demo.test"), member("u1")
	manifest := "id: shop\nremote: {url: \"" + platform.URL + "\"}\nremoteTypes:\n" +
		"  - {id: shop.review, label: x, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}\n"
	for review, c := range map[string]struct {
		issuer string
		want   any
	}{"7": {"", "u1"}, "8": {"issuer: {jwksUrl: \"http://127.0.0.1:1/keys\", issuer: \"https://shop.test\", audience: docket}\n", nil}} {
		p.must(admin, nethttp.MethodPut, "/admin/platforms/shop", map[string]string{"manifest": manifest + c.issuer})
		status, filed := reportReview(t, p, uma, review)
		require.Equal(t, nethttp.StatusCreated, status, filed)
		require.Equal(t, c.want, <-told, c.issuer)
	}
	t.Log("nobody else may be AUTH_ISSUER")
	status, answer, err := p.send(admin, nethttp.MethodPut, "/admin/platforms/shop", map[string]string{"manifest": manifest + "issuer: {jwksUrl: \"http://127.0.0.1:1/keys\", issuer: \"https://members.test\", audience: docket}\n"})
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusBadRequest, status)
	require.Contains(t, answer["faults"].([]any)[0].(map[string]any)["message"], "AUTH_ISSUER")
}
