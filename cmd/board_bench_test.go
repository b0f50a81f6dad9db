package cmd

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// boardReports is how many reports the board is measured with.
const boardReports = 100_000

// BenchmarkBoard visits the board of 100,000 reports with a browser that has
// nothing in its cache, as http/modcp/bench measures it: it may be interactive
// within a second of the navigation, and the visit may cost 400 KB.
func BenchmarkBoard(b *testing.B) {
	s := startBenchServer(b)
	s.fillBoard(b)
	panel, err := filepath.Abs("../http/modcp")
	require.NoError(b, err)
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), "npm", "run", "--silent", "bench")
		cmd.Dir, cmd.Env, cmd.Stderr = panel, append(os.Environ(), "DOCKET_URL="+s.url), os.Stderr
		out, err := cmd.Output()
		require.NoError(b, err, "the panel's browser; make bench installs what it needs")
		var visit struct{ Paint, Rows, Interactive, Slowest, Busy, Requests, Bytes, Largest float64 }
		require.NoError(b, json.Unmarshal(out, &visit), "%s", out)
		b.ReportMetric(visit.Paint, "paint-ms")
		b.ReportMetric(visit.Rows, "rows-ms")
		b.ReportMetric(visit.Interactive, "interactive-ms")
		b.ReportMetric(visit.Slowest, "slowest-ms")
		b.ReportMetric(visit.Busy, "busy-ms")
		b.ReportMetric(visit.Requests, "requests")
		b.ReportMetric(visit.Bytes/1000, "KB")
		b.ReportMetric(visit.Largest/1000, "largest-KB")
	}
	b.ReportMetric(0, "ns/op") // an iteration is several visits and their waits
}

// fillBoard stores reports as the projection holds them, in every status, on
// targets of every category; it goes around the log, which no list reads.
func (s *benchServer) fillBoard(b *testing.B) {
	b.Helper()
	for _, sql := range []string{
		`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id)
		 SELECT 'forum', 'forum.post', 'bench' || i, 'forum.category', (ARRAY['general', 'help', 'market'])[1 + i % 3] FROM generate_series(1, $1::int) i`,
		`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, scope_family, scope_id,
			locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_id, assignee_id, search, created_at, updated_at)
		 SELECT gen_random_uuid(), (ARRAY['new', 'new', 'in_progress', 'done'])[1 + i % 4], 1, 1, 'forum', 'forum.post', 'bench' || i,
			'posts', 'forum.category', (ARRAY['general', 'help', 'market'])[1 + i % 3], 'en', 'en',
			(ARRAY['spam', 'abusive', 'rule_violation'])[1 + i % 3], 'This is the third time this week that it is posted.', '{}',
			'Topic ' || i || ': which of these would you keep?', 'Post ' || i || repeat(' of those that people argue about at length', 4),
			u.id, CASE WHEN i % 4 = 2 THEN u.id END,
			array_to_tsvector(ARRAY['topic', 'word' || i]), now() - i * interval '1 minute', now() - i * interval '1 minute'
		 FROM generate_series(1, $1::int) i JOIN (SELECT id, row_number() OVER () - 1 AS n FROM core_users LIMIT 500) u ON u.n = i % 500`,
	} {
		_, err := s.database.Pool.Exec(b.Context(), sql, boardReports)
		require.NoError(b, err)
	}
	_, err := s.database.Pool.Exec(b.Context(), `VACUUM ANALYZE`)
	require.NoError(b, err)
}
