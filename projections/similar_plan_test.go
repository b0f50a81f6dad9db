package projections_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// Given 100,000 fingerprints, look-alikes, precedents and links are found by an index, and the closed
// reports of a campaign are not read to find the open ones.
func TestLookAlikesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool, 100_000)
	for _, sql := range []string{
		`INSERT INTO core_moderation_fingerprints (report_id, signature, keys, open, decided_at)
			SELECT id, '\x', ARRAY(SELECT hashtextextended(target_id, k) FROM generate_series(1, 16) k) || ARRAY[7::bigint], status <> 'done',
				CASE WHEN status = 'done' THEN now() END FROM core_moderation_reports`,
		`VACUUM ANALYZE core_moderation_fingerprints`,
	} {
		pgtest.Exec(t, pool, sql)
	}
	keys := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	of := "01900000-0000-7000-8000-000000000000"
	for name, c := range map[string]permission.Coverage{
		"all":                   {All: true},
		"a thousand categories": {Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: thousand()}}},
	} {
		t.Run(name, func(t *testing.T) {
			sql, args, err := projections.CandidatesQuery(c, of, keys[:6], []int64{})
			require.NoError(t, err)
			requireIndex(t, pool, "core_moderation_fingerprints_open", sql, args)
			sql, args, err = projections.PrecedentsQuery(c, of, keys[:6])
			require.NoError(t, err)
			requireIndex(t, pool, "core_moderation_fingerprints_decided", sql, args)
			sql, args, err = projections.LinkCountsQuery(c, of, keys)
			require.NoError(t, err)
			requireIndex(t, pool, "core_moderation_fingerprints_open", sql, args)
			requireIndex(t, pool, "core_moderation_fingerprints_decided", sql, args)
		})
	}
}
