package served

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/scripts/fill/history"
)

// benchReports is how many reports long histories have, of ten events for
// every three. The full size, 300,000 reports and a million events, takes a
// quarter of an hour: DOCKET_BENCH_REPORTS=300000.
func benchReports(b *testing.B) int {
	b.Helper()
	n := 20_000
	if set := os.Getenv("DOCKET_BENCH_REPORTS"); set != "" {
		var err error
		n, err = strconv.Atoi(set)
		require.NoError(b, err, "DOCKET_BENCH_REPORTS")
	}
	return n
}

// usually is how long the load runs without a rebuild.
const usually = 15 * time.Second

// BenchmarkRebuildUnderLoad rebuilds everything with the command while a server
// answers 16 clients that read and write: every figure is counted anew, and every row
// is made from the log again and written where it differs. Written anew also where it
// is as it should be, a table of many rows is slow to read until it was vacuumed. No
// request may fail, reads may take twice as long as usual at the 99th percentile, and
// in the end everything is what the log makes of it.
func BenchmarkRebuildUnderLoad(b *testing.B) {
	const clients = 16
	reports := benchReports(b)
	s := startBenchServer(b)
	s.addWorkers()
	old, events := s.fillLog(b, reports)
	for _, run := range []struct {
		name    string
		options []string
		written int
	}{
		{name: "rows that differ are written"},
		{"every row is written", []string{"--force"}, reports},
	} {
		b.Run(run.name, func(b *testing.B) {
			for b.Loop() {
				s.vacuum(b)
				usual := s.busy(b, clients, old, func() { time.Sleep(usually) })
				var said string
				during := s.busy(b, clients, old, func() { said = s.docket(b, append([]string{"projections", "rebuild"}, run.options...)...) })
				b.Log(said + s.docket(b, "projections", "verify"))
				counted := regexp.MustCompile(`reports: (\d+) compared, \d+ wrong, (\d+) rewritten`).FindStringSubmatch(said)
				require.NotNil(b, counted)
				compared, err := strconv.Atoi(counted[1])
				require.NoError(b, err)
				written, err := strconv.Atoi(counted[2])
				require.NoError(b, err)
				require.GreaterOrEqual(b, compared, reports)
				require.GreaterOrEqual(b, written, run.written)
				b.ReportMetric(float64(events), "events")
				b.ReportMetric(float64(compared)/during.took.Seconds(), "reports/s")
				b.ReportMetric(usual.perSecond(), "usual-requests/s")
				b.ReportMetric(during.perSecond(), "requests/s")
				b.ReportMetric(p99(usual.reads), "usual-p99-ms")
				b.ReportMetric(p99(during.reads), "p99-ms")
				b.ReportMetric(p99(during.reads)/p99(usual.reads), "ratio")
				b.ReportMetric(p99(during.writes)/p99(usual.writes), "writes-ratio")
			}
			b.ReportMetric(0, "ns/op") // an iteration holds the usual load too
		})
	}
}

// fillLog gives the server a long history and everything that is projected of
// it; it returns the ids of some of its reports.
func (s *benchServer) fillLog(b *testing.B, reports int) (some []string, events int64) {
	b.Helper()
	ctx := b.Context()
	people := func(name string, n int) []string {
		ids := pgtest.All[string](b, s.database.Pool, `INSERT INTO core_users (id, name, created_at)
			SELECT gen_random_uuid(), $1 || ' ' || i, now() FROM generate_series(1, $2::int) i RETURNING id::text`, name, n)
		return ids
	}
	category := pgtest.One[string](b, s.database.Pool, `SELECT category_id FROM forum_posts WHERE id = $1::bigint`, s.posts[0])
	h := history.History{Reports: reports, Reporters: people("Former reporter", 3000), Moderators: people("Former moderator", 20),
		Start: time.Now().AddDate(0, 0, -30)}
	h.Target = func(i int) report.Target { // a reporter reports each post once
		return report.Target{PluginID: "forum", Type: "forum.post", ID: s.posts[(i/len(h.Reporters)+i%len(h.Reporters))%len(s.posts)],
			PermissionModule: "posts", Scope: &scope.Resource{Family: "forum.category", ID: category}}
	}
	start := time.Now()
	events, err := history.Log(ctx, s.database.Pool, h)
	require.NoError(b, err)
	filled := time.Since(start)
	s.docket(b, "projections", "rebuild")
	b.Logf("%d events in %s, rebuilt in %s", events, filled, time.Since(start)-filled)

	s.projected(b)
	some = pgtest.All[string](b, s.database.Pool, `SELECT id::text FROM core_moderation_reports ORDER BY random() LIMIT 2000`)
	return some, events
}

// vacuum does what autovacuum would have done long ago.
func (s *benchServer) vacuum(b *testing.B) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), s.database.URL) // which may take as long as it likes
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(context.WithoutCancel(b.Context()))) }()
	pgtest.Exec(b, conn, `VACUUM ANALYZE`)
}

// projected waits until the server's projections are where the log is.
func (s *benchServer) projected(b *testing.B) {
	b.Helper()
	pgtest.Eventually(b, func() bool {
		status, err := projector.Status(b.Context(), s.database.Pool, time.Now())
		require.NoError(b, err)
		for _, p := range status {
			if p.State == "building" || p.Behind > 0 && p.State != "retired" {
				return false
			}
		}
		return len(status) > 0
	}, fmt.Sprint("projections of ", s.url))
}
