package cmd

import (
	"fmt"
	nethttp "net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// What a platform does for a report it does also when it is connected in the panel, and a server
// that starts later knows it at once. If that has a key, it encrypts the secrets that it finds.
func TestAPlatformOfThePanel(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	identity, outsider := newIdentity(t)
	environment := with(identity, "DATABASE_URL", pgtest.URL(t), "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true")
	pool := connectTo(t, environment["DATABASE_URL"])
	p := startProcess(t, environment, "demo")
	admin, member := p.signIn("admin@demo.test"), p.signIn("member1@demo.test")
	text, err := os.ReadFile(shopManifest(t, s.server.URL))
	require.NoError(t, err)
	manifest := string(text)
	secrets := []string{p.must(admin, nethttp.MethodPut, "/admin/platforms/shop", map[string]string{"manifest": manifest})["secret"].(string),
		p.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]string{"url": "https://one.example/docket"})["secret"].(string)}
	s.webhook, err = standardwebhooks.NewWebhook(secrets[0])
	require.NoError(t, err)
	require.NotEmpty(t, pgtest.WhereFound(t, pool, strings.TrimPrefix(secrets[1], "whsec_")))

	status, filed := reportReview(t, p, member, "7")
	require.Equal(t, nethttp.StatusCreated, status, filed)
	report := filed["id"].(string)
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+report+"/actions/hide", map[string]int{"expectedVersion": 1})
	pgtest.Eventually(t, func() bool { return slices.Contains(timelineTypes(readReport(t, p, admin, report)), "action") }, "the action is done")
	require.True(t, s.isHidden("7"))
	families := p.must(admin, nethttp.MethodGet, "/moderation/scopes?family=shop.department", nil)["items"].([]any)
	require.Len(t, families, 1)
	require.Contains(t, docket(t, environment, "doctor").stdout, "There is something to moderate")

	p.end(syscall.SIGTERM)
	p = startProcess(t, with(environment, "DOCKET_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="), "demo")
	admin, member = p.signIn("admin@demo.test"), p.signIn("member2@demo.test")
	status, filed = reportReview(t, p, member, "8")
	require.Equal(t, nethttp.StatusCreated, status, filed)
	for _, secret := range append(secrets, p.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]string{"url": "https://two.example/docket"})["secret"].(string)) {
		require.Empty(t, pgtest.WhereFound(t, pool, strings.TrimPrefix(secret, "whsec_")))
	}

	t.Log("a subject of the host platform would be another person at a platform with members of its own")
	issuer := "issuer: {jwksUrl: \"http://127.0.0.1:1/keys\", issuer: \"https://%s.test\", audience: docket}\n"
	for review, c := range map[string]struct {
		issuer string
		told   any
	}{"10": {"", "u1"}, "11": {fmt.Sprintf(issuer, "shop"), nil}} {
		p.must(admin, nethttp.MethodPut, "/admin/platforms/shop", map[string]string{"manifest": manifest + c.issuer})
		status, filed := reportReview(t, p, outsider("u1"), review)
		require.Equal(t, nethttp.StatusCreated, status, filed)
		require.Equal(t, c.told, s.reporter(), c.issuer)
	}
	status, answer, err := p.send(admin, nethttp.MethodPut, "/admin/platforms/shop", map[string]string{"manifest": manifest + fmt.Sprintf(issuer, "members")})
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusBadRequest, status)
	require.Contains(t, answer["faults"].([]any)[0].(map[string]any)["message"], "AUTH_ISSUER", "nobody else may be it")

	t.Log("its reports stay when it is off")
	p.must(admin, nethttp.MethodPost, "/admin/platforms/shop/off", nil)
	status, _ = reportReview(t, p, member, "9")
	require.Equal(t, nethttp.StatusBadRequest, status)
	gone := p.must(admin, nethttp.MethodGet, "/moderation/reports/"+report, nil)
	require.Nil(t, gone["target"].(map[string]any)["current"])
	require.Empty(t, gone["actions"])
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+report+"/claim", map[string]any{"expectedVersion": gone["version"]})
}
