package migrations_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
)

// keepAuthors is the migration that keeps the authors of erased snapshots.
const keepAuthors = 20261124500001

// Given cases that an earlier release kept, then they are stored again if that release may have
// erased what they weigh, and only then.
func TestCasesAreStoredAgainAfterErasuresByAnEarlierRelease(t *testing.T) {
	t.Parallel()
	pool, ctx := pgtest.New(t), t.Context()
	for _, erased := range []bool{false, true} {
		for reverted := int64(0); reverted != keepAuthors; {
			m, err := migrations.Docket.Down(ctx, pool)
			require.NoError(t, err)
			reverted = m.Version
		}
		for _, sql := range []string{
			`INSERT INTO core_projections (name, build, version, state, position) VALUES ('cases', 1, 1, 'live', 7) ON CONFLICT DO NOTHING`,
			`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, locale,
				requested_locale, reason, title, excerpt, search, created_at, updated_at, erased)
			VALUES (gen_random_uuid(), 'new', 1, 1, 'forum', 'forum.post', '1', 'posts', 'en', 'en', 'spam', '', '', '', now(), now(), ` + strconv.FormatBool(erased) + `)`,
		} {
			pgtest.Exec(t, pool, sql)
		}
		_, err := migrations.Docket.Up(ctx, pool)
		require.NoError(t, err)
		require.Equal(t, !erased, pgtest.One[bool](t, pool, `SELECT EXISTS (SELECT FROM core_projections WHERE name = 'cases')`), "erased: %t", erased)
	}
}
