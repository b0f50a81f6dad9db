package projections_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// A filing and a message find the signals of their target by the key.
func signalsAreFoundByTheirKey(t *testing.T, pool *pgxpool.Pool) {
	pgtest.Exec(t, pool, `INSERT INTO core_moderation_signals (plugin_id, target_type, target_id, source, name, score, at)
		SELECT 'forum', 'forum.post', (i / 4)::text, 'forum', 's' || i % 4, 0.5, now() - i * interval '1 second' FROM generate_series(1, 50000) i`)
	pgtest.Exec(t, pool, `VACUUM ANALYZE core_moderation_signals`)
	for sql, args := range map[string][]any{
		`SELECT ` + projections.LatestKept + ` FROM (VALUES ($1::text, $2::text, $3::text)) n (plugin_id, target_type, target_id)`: {"forum", "forum.post", "nothing"},
		projections.SelectKept: {"forum", "forum.post", "7"},
		projections.TrimSource: {"forum", "forum.post", "7", "forum", 20},
	} {
		requireIndex(t, pool, "core_moderation_signals_pkey", sql, args)
	}
	requireIndex(t, pool, "core_moderation_reports_open_case", projections.OpenOn, []any{"forum", "forum.post", "7", "[]"})
}
