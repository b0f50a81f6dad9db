package projections_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// Look-alikes, precedents and links are found by an index, and the closed reports of a campaign are not
// read to find the open ones.
func lookAlikesUseTheirIndexes(t *testing.T, pool *pgxpool.Pool) {
	for _, sql := range []string{
		`INSERT INTO core_moderation_fingerprints (report_id, signature, keys, open, decided_at)
			SELECT id, '\x', ARRAY(SELECT hashtextextended(target_id, k) FROM generate_series(1, 16) k)
				|| ARRAY[7::bigint] || CASE WHEN target_id::int % 8 = 6 THEN ARRAY[8::bigint] END, status <> 'done',
				CASE WHEN status = 'done' THEN now() END FROM core_moderation_reports WHERE target_id::int % 4 > 1`,
		`VACUUM ANALYZE core_moderation_fingerprints`,
		`INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
			SELECT gen_random_uuid(), id, 1, 1, 'created', '{}', now(), '', '' FROM core_moderation_reports WHERE status = 'done'`,
		`ANALYZE core_moderation_report_events`,
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
			require.Contains(t, args, 20_000, "the bound of what is looked up")
			requireIndex(t, pool, "core_moderation_fingerprints_open", sql, args)
			sql, args, err = projections.UnreadQuery(c, of)
			require.NoError(t, err)
			requireIndex(t, pool, "core_moderation_report_events_transaction", sql, args)
			sql, args, err = projections.PrecedentsQuery(c, of, keys[:6])
			require.NoError(t, err)
			requireIndex(t, pool, "core_moderation_fingerprints_decided", sql, args)
			sql, args, err = projections.LinkCountsQuery(c, of, keys)
			require.NoError(t, err)
			requireIndex(t, pool, "core_moderation_fingerprints_open", sql, args)
			requireIndex(t, pool, "core_moderation_fingerprints_decided", sql, args)
		})
	}

	// Of more than 5,000 open reports with one link, those of a category are found, and no others are told of.
	r := projections.SimilarList.First(100)
	with := projections.SimilarFilter{Link: &likeness.Link{Key: 8}}
	similar := func(c permission.Coverage) paging.Page[projections.Similar] {
		id := pgtest.One[string](t, pool, `SELECT id::text FROM core_moderation_reports WHERE target_id = '4'`)
		page, err := projections.NewReports(pool).Similar(t.Context(), c, id, with, r)
		require.NoError(t, err)
		return page
	}
	one := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: []string{"c1998"}}}}
	found := similar(one)
	require.Len(t, found.Edges, 24)
	require.Equal(t, 24, *found.PageInfo.TotalCount)
	require.False(t, *found.PageInfo.TotalCountCapped)
	all := similar(permission.Coverage{All: true})
	require.Equal(t, 5000, *all.PageInfo.TotalCount)
	require.True(t, *all.PageInfo.TotalCountCapped)
}
