package served

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// BenchmarkFilingWithRules files by turns on a server that never had a rule and on one with two, of which one is
// live and one in the shadow, and each matches every report. A filing may take as long with rules as without
// (ratio), since they are judged afterwards: what that costs meanwhile is in the rates of 32 clients (ops-ratio).
func BenchmarkFilingWithRules(b *testing.B) {
	without, with := startBenchServer(b), startBenchServer(b)
	with.publish(b, "acts", "live")
	with.publish(b, "quiet", "shadow")
	var filers [2]*filer
	for i, s := range []*benchServer{without, with} {
		c, err := dialWire(s.url)
		require.NoError(b, err)
		defer c.close()
		filers[i] = &filer{benchServer: s, wire: c}
	}
	b.Run("one client", func(b *testing.B) {
		var took [2][]time.Duration
		for i := 0; b.Loop(); i++ {
			for n, f := range filers {
				took[n] = append(took[n], f.file(b, "forum.post", f.posts[i%len(f.posts)]))
			}
		}
		b.ReportMetric(milliseconds(took[1]), "ms")
		b.ReportMetric(milliseconds(took[0]), "without-ms")
		b.ReportMetric(milliseconds(took[1])/milliseconds(took[0]), "ratio")
	})
	b.Run("32 clients", func(b *testing.B) {
		var rates [2]float64
		var took [2][]time.Duration
		for b.Loop() {
			for n, s := range []*benchServer{without, with} {
				rate, all := s.timed(b, 32, s.file)
				rates[n], took[n] = rates[n]+rate, append(took[n], all...)
			}
		}
		b.ReportMetric(rates[1]/float64(b.N), "ops/s")
		b.ReportMetric(rates[0]/float64(b.N), "without-ops/s")
		b.ReportMetric(rates[1]/rates[0], "ops-ratio")
		b.ReportMetric(p99(took[1])/p99(took[0]), "p99-ratio")
	})
	pgtest.Eventually(b, func() bool {
		return pgtest.One[bool](b, with.database.Pool, `SELECT count(*) = 2 * (SELECT count(*) FROM core_moderation_reports WHERE created_at > (SELECT max(mode_at) FROM core_rules))
			FROM core_moderation_report_events WHERE type = 'rule_matched'`)
	}, "each report has both matches")
}

// publish gives a rule that matches every report of spam a mode, which counts from a second later on.
func (s *benchServer) publish(b *testing.B, key, mode string) {
	b.Helper()
	admin := s.sessions("admin-"+key, 1)[0]
	require.NoError(b, s.entries.Ensure(b.Context(), permission.Admin, admin.User.ID, permission.Entry{Unrestricted: true}))
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	_, err = c.post(admin.ID, "/admin/rules", nethttp.StatusCreated, `{"key":"`+key+`","title":"`+key+`","then":{"points":10,"tags":["seen"]},`+
		`"when":"reason == \"spam\" && !text.matches(\"(?i)no such (words|text)\") && reporter.rejected < 300"}`)
	require.NoError(b, err)
	_, err = c.post(admin.ID, "/admin/rules/"+key+"/mode", nethttp.StatusOK, `{"mode":"`+mode+`"}`)
	require.NoError(b, err)
	time.Sleep(2 * time.Second)
}
