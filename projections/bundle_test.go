package projections_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/projector"
)

// rebuildAll derives everything that the lists read besides the reports.
func rebuildAll(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	for _, p := range []projector.Projection{cases.Projection, counts.Projection} {
		_, err := p.Rebuild(t.Context(), pool, projector.Options{})
		require.NoError(t, err)
	}
}

// fill stores n reports as the projection holds them, one each on targets of
// 100 categories, in every status; it goes around the log, which no list reads.
func fill(t testing.TB, pool *pgxpool.Pool, n int) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO core_users (id, name, created_at) SELECT gen_random_uuid(), 'User ' || i, now() FROM generate_series(1, 500) i`,
		`INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
		 SELECT 'forum', 'forum.post', i::text, 'forum.category', 'c' || i % 2000, true FROM generate_series(1, $1::int) i`,
		`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, scope_family, scope_id,
			locale, requested_locale, reason, alleged_policy, snapshot, title, excerpt, reporter_id, assignee_id, search, created_at, updated_at)
		 SELECT gen_random_uuid(), (ARRAY['new', 'new', 'in_progress', 'done'])[1 + i % 4], 1, 1, 'forum', 'forum.post', i::text, 'posts', 'forum.category', 'c' || i % 2000,
			'en', 'en', 'spam', CASE WHEN i % 500 = 0 THEN '{"key": "be-kind", "version": 1}'::json END, '{}', 'Title ' || i, 'Excerpt', u.id, CASE WHEN i % 4 = 2 THEN u.id END,
			array_to_tsvector(ARRAY['title', 'word' || i, '=' || i]), now() - i * interval '1 second', now() - i * interval '1 second'
		 FROM generate_series(1, $1::int) i JOIN (SELECT id, row_number() OVER () - 1 AS n FROM core_users) u ON u.n = i % 500`,
	} {
		args := []any{}
		if sql[len("INSERT INTO core_")] != 'u' {
			args = append(args, n)
		}
		pgtest.Exec(t, pool, sql, args...)
	}
	pgtest.Exec(t, pool, `VACUUM ANALYZE core_users, core_moderation_targets, core_moderation_reports`)
}
