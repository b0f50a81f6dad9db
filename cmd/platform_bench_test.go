package cmd

import (
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

// BenchmarkFilingOfPlatforms files at 32 clients, by turns, reports of a local type, of a
// platform that sends along what its member saw, and of one that is asked for it, on loopback
// and answering at once. Of the filings of a local type in the same time, the first may cost
// 1.1 (pushed-ratio) and the second 1.5 (remote-ratio).
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
	s := startBenchServerWith(b, map[string]string{"SHOP_SECRET": shopSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"},
		"--plugin", shopManifest(b, platform.URL))

	tokens := make([]string, clients) // each is limited by itself
	for i := range tokens {
		made := docket(b, s.environment, "token", "create", "--use", "host", "--plugin", "shop")
		require.Zero(b, made.status, made.stderr)
		tokens[i] = strings.TrimSpace(made.stdout)
	}
	var round int
	pushed := func(client int, c *wire, until time.Time) (n int, err error) {
		for ; time.Now().Before(until); n++ {
			_, err := c.postAs("Authorization: Bearer "+tokens[client], "/moderation/reports", nethttp.StatusCreated, fmt.Sprintf(
				`{"pluginId":"shop","targetType":"shop.review","targetId":"%d","reason":"spam","description":"Advertising again.","reporter":{"subject":"r%d-%d-%d","name":"Uma"},"capture":%s}`,
				1+(n*7+client*101)%2000, round, client, n/report.FilingsPerHour, captured))
			if err != nil {
				return n, err
			}
		}
		return n, nil
	}
	local := func(client int, c *wire, until time.Time) (int, error) { return s.file(client, c, until) }
	remote := func(client int, c *wire, until time.Time) (int, error) {
		return s.fileOn(c, until, func(n int) string {
			return fmt.Sprintf(`{"pluginId":"shop","targetType":"shop.review","targetId":"%d","reason":"spam","description":"Advertising again."}`, 1+(n*7+client*101)%2000)
		})
	}
	var ofLocal, ofPushed, ofRemote float64
	for b.Loop() {
		round++
		ofLocal += s.load(b, clients, local)
		ofPushed += s.load(b, clients, pushed)
		ofRemote += s.load(b, clients, remote)
		ofLocal += s.load(b, clients, local) // on both sides, since tables grow
		ofRemote += s.load(b, clients, remote)
		round++
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
