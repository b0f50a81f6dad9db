package served

import (
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/richtext"
)

// BenchmarkFiling files one kind of thing and another by turns, with one client.
// A type that a manifest declares may cost 1.3 times what a target written in Go
// does. A snapshot of 256 KB may cost 10 ms of the server's own time more than one of
// a line (added-ms): what it uses of the processors meanwhile, for whatever it does.
func BenchmarkFiling(b *testing.B) {
	s := startBenchServer(b)
	rows, err := s.database.Pool.Query(b.Context(), `SELECT id::text FROM core_users LIMIT 2000`)
	require.NoError(b, err)
	profiles, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	c, err := dialWire(s.url)
	require.NoError(b, err)
	defer c.close()
	f := &filer{benchServer: s, wire: c}

	b.Run("a manifest's type beside a target in Go", func(b *testing.B) {
		var manifest, plain []time.Duration
		for i := 0; b.Loop(); i++ {
			plain = append(plain, f.file(b, "forum.profile", profiles[i%len(profiles)]))
			manifest = append(manifest, f.file(b, "forum.post", s.posts[i%len(s.posts)]))
		}
		b.ReportMetric(milliseconds(manifest), "ms")
		b.ReportMetric(milliseconds(plain), "go-ms")
		b.ReportMetric(milliseconds(manifest)/milliseconds(plain), "ratio")
	})
	// A line of 11 characters makes 148 bytes, so that both limits are near.
	const line = "<p>One <b>or</b> two.</p>"
	whole := strings.Repeat(line, 1750)
	var ofLine float64
	for _, large := range []struct {
		name, targetType, insert string
		body                     any
	}{
		{"a snapshot of a line", "forum.post", insertPost, line},
		{"a snapshot of 256 KB from HTML", "forum.post", insertPost, whole},
		{"a snapshot of 256 KB from a document", "forum.topic", insertTopic, richtext.FromHTML(whole).JSON()},
		{"a snapshot that is cut", "forum.post", insertPost, strings.Repeat(line, 10_000)},
	} {
		b.Run(large.name, func(b *testing.B) {
			var id string
			require.NoError(b, s.database.Pool.QueryRow(b.Context(), large.insert, s.posts[0], large.body).Scan(&id))
			var took []time.Duration
			before := s.processorTime(b)
			for b.Loop() {
				f.left = 0 // a reporter has one open report of a thing
				took = append(took, f.file(b, large.targetType, id))
			}
			spent := s.processorTime(b) - before
			var size float64
			require.NoError(b, s.database.Pool.QueryRow(b.Context(), `SELECT max(octet_length(snapshot::text))
				FROM core_moderation_reports WHERE target_type = $1 AND target_id = $2`, large.targetType, id).Scan(&size))
			b.ReportMetric(size/1024, "KB")
			b.ReportMetric(milliseconds(took), "ms")
			server := spent.Seconds() * 1000 / float64(len(took))
			if ofLine == 0 {
				ofLine = server
			}
			b.ReportMetric(server, "server-ms")
			b.ReportMetric(server-ofLine, "added-ms")
		})
	}
}

// What a benchmark adds beside a post.
const (
	insertPost = `INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, updated_at, published_at)
		SELECT topic_id, category_id, author_id, title, $2::text, now(), now() FROM forum_posts WHERE id = $1 RETURNING id::text`
	insertTopic = `INSERT INTO forum_topics (category_id, author_id, title, body, updated_at, published_at)
		SELECT category_id, author_id, title, $2::jsonb, now(), now() FROM forum_posts WHERE id = $1 RETURNING id::text`
)

// filer files with accounts that still may.
type filer struct {
	*benchServer
	wire    *wire
	session string
	left    int
	last    string // the report that was filed last
}

func (f *filer) file(b *testing.B, targetType, id string) time.Duration {
	b.Helper()
	if f.left == 0 {
		select {
		case f.session = <-f.reporters:
			f.left = report.FilingsPerHour
		default:
			b.Fatalf("all %d reporters have filed what they may", benchReporters)
		}
	}
	f.left--
	start := time.Now()
	answer, err := f.wire.post(f.session, "/moderation/reports", nethttp.StatusCreated,
		fmt.Sprintf(`{"pluginId":"forum","targetType":%q,"targetId":%q,"reason":"spam"}`, targetType, id))
	took := time.Since(start)
	require.NoError(b, err)
	found := answeredID.FindSubmatch(answer)
	require.NotNil(b, found, "%s", answer)
	f.last = string(found[1])
	return took
}

// milliseconds is the median.
func milliseconds(d []time.Duration) float64 {
	slices.Sort(d)
	return d[len(d)/2].Seconds() * 1000
}
