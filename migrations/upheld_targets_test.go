package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
)

// followUpheldTargets is the migration that describes authors by the target and resolution.
const followUpheldTargets = 20261123600011

// Given authors from before the columns, when they are added, then the columns are filled,
// and statements of a server that does not know them keep them, too.
func TestAuthorsAreDescribedOnADatabaseInUse(t *testing.T) {
	t.Parallel()
	pool, ctx := pgtest.New(t), t.Context()
	run := func(sql string) {
		t.Helper()
		pgtest.Exec(t, pool, sql)
	}
	for reverted := int64(0); reverted != followUpheldTargets; {
		m, err := migrations.Docket.Down(ctx, pool)
		require.NoError(t, err)
		reverted = m.Version
	}
	run(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
			requested_locale, reason, title, excerpt, search, resolution, created_at, updated_at, snapshot)
		SELECT gen_random_uuid(), 'done', 1, 1, 'forum', 'forum.post', n, 'posts', 'en', 'en', 'spam', '', '', '',
			'action_taken', now(), now(), '{"authors":[{"id":"writer"}]}' FROM generate_series(1, 2500) n`)
	const insert = `INSERT INTO core_moderation_report_authors (report_id, plugin_id, author)
		SELECT id, plugin_id, 'writer' FROM core_moderation_reports WHERE status = 'done' ON CONFLICT DO NOTHING`
	run(insert)

	_, err := migrations.Docket.Up(ctx, pool)
	require.NoError(t, err)
	const described = `SELECT count(*) FROM core_moderation_report_authors a JOIN core_moderation_reports r ON r.id = a.report_id
		AND (r.target_type, r.target_id, r.resolution) = (a.target_type, a.target_id, a.resolution) WHERE r.status = 'done'`
	require.Equal(t, 2500, pgtest.One[int](t, pool, described))

	run(`UPDATE core_moderation_reports SET status = 'new', resolution = NULL WHERE target_id = '1'`)
	require.Equal(t, 2499, pgtest.One[int](t, pool, `SELECT count(*) FROM core_moderation_report_authors`))
	run(`UPDATE core_moderation_reports SET status = 'done', resolution = 'duplicate' WHERE target_id = '1'`)
	run(insert)
	require.Equal(t, 2500, pgtest.One[int](t, pool, described), "resolved again")
	run(`UPDATE core_moderation_reports SET resolution = 'no_violation' WHERE target_id IN ('2', '3')`)
	require.Equal(t, 2500, pgtest.One[int](t, pool, described), "overturned")
	require.Equal(t, 2, pgtest.One[int](t, pool, `SELECT count(*) FROM core_moderation_report_authors WHERE resolution = 'no_violation'`))
	run(`DELETE FROM core_moderation_report_authors`)
	run(insert)
	require.Equal(t, 2500, pgtest.One[int](t, pool, described), "rebuilt")
}
