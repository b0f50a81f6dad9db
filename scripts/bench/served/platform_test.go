package served

import (
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkFilingOfPlatforms files at 32 clients, by turns, reports of a local type, of a
// platform that sends along what its member saw, and of one that is asked for it, on loopback
// and answering at once. Of the filings of a local type in the same time, the first may cost
// 1.1 (pushed-ratio) and the second 1.5 (remote-ratio). The accounts of all reporters exist,
// as those of a platform's members do from their first report on.
func BenchmarkFilingOfPlatforms(b *testing.B) {
	const clients = 32
	const captured = `{"fields":{"title":"Great","body":"<p>Post number 7 of those to report.</p>"},"scope":"books","authors":[{"subject":"u7","name":"Ann"}]}`
	platform := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "/capture") {
			_, _ = io.WriteString(w, captured)
			return
		}
		_, _ = io.WriteString(w, `{"hidden":false,"scope":"books","actions":{}}`)
	}))
	b.Cleanup(platform.Close)
	manifest := filepath.Join(b.TempDir(), "shop.yaml")
	require.NoError(b, os.WriteFile(manifest, []byte(`id: shop
remote: {url: "`+platform.URL+`/docket", secretEnv: SHOP_SECRET, timeout: 1s}
remoteTypes:
  - id: shop.review
    label: shop.review
    permissionModule: reviews
    key: {kind: bigint}
    moderationScope: {family: shop.department}
    fields: {title: {kind: text}, body: {kind: richText}}
    reports: true
moderation:
  scopes: [{id: shop.department, label: shop.department, remote: true}]
`), 0o600))
	s := startBenchServerWith(b, map[string]string{"SHOP_SECRET": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"},
		"--plugin", manifest)

	tokens := make([]string, clients) // each is limited by itself
	for i := range tokens {
		tokens[i] = strings.TrimSpace(s.docket(b, "token", "create", "--use", "host", "--plugin", "shop"))
	}
	members := make(chan string, benchReporters)
	for i := range cap(members) {
		_, err := s.accounts.Member(b.Context(), "shop", fmt.Sprintf("r%d", i), "Uma")
		require.NoError(b, err)
		members <- fmt.Sprintf("r%d", i)
	}
	pushed := func(client int, c *wire, until time.Time) (int, error) {
		return s.fileAs(members, until, func(member string, n int) ([]byte, error) {
			return c.postAs("Authorization: Bearer "+tokens[client], "/moderation/reports", nethttp.StatusCreated, fmt.Sprintf(
				`{"pluginId":"shop","targetType":"shop.review","targetId":"%d","reason":"spam","description":"Advertising again.","reporter":{"subject":%q,"name":"Uma"},"capture":%s}`,
				1+(n*7+client*101)%2000, member, captured))
		})
	}
	local := func(client int, c *wire, until time.Time) (int, error) { return s.file(client, c, until) }
	remote := func(client int, c *wire, until time.Time) (int, error) {
		return s.fileOn(c, until, func(n int) string {
			return fmt.Sprintf(`{"pluginId":"shop","targetType":"shop.review","targetId":"%d","reason":"spam","description":"Advertising again."}`, 1+(n*7+client*101)%2000)
		})
	}
	var ofLocal, ofPushed, ofRemote float64
	for b.Loop() {
		ofLocal += s.load(b, clients, local)
		ofPushed += s.load(b, clients, pushed)
		ofRemote += s.load(b, clients, remote)
		ofLocal += s.load(b, clients, local) // on both sides, since tables grow
		ofRemote += s.load(b, clients, remote)
		ofPushed += s.load(b, clients, pushed)
	}
	rounds := float64(2 * b.N)
	require.Positive(b, ofPushed*ofRemote)
	b.ReportMetric(ofLocal/rounds, "local/s")
	b.ReportMetric(ofPushed/rounds, "pushed/s")
	b.ReportMetric(ofRemote/rounds, "remote/s")
	b.ReportMetric(ofLocal/ofPushed, "pushed-ratio")
	b.ReportMetric(ofLocal/ofRemote, "remote-ratio")
}
