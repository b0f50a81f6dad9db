package projections_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections"
)

// Of many reports, the counts tell who holds how many.
func TestHoldersAreCountedByKind(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	reports, all := projections.NewReports(d.Pool), permission.Coverage{All: true}
	first := d.File(t, 0, "1")
	d.Claim(t, first, 2)
	for i, n := range []int{1, 3, 2} {
		d.SQL(t, `INSERT INTO core_moderation_reports SELECT (r).* FROM (SELECT jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
			'assignee_id', $1::uuid, 'target_id', 't' || n, 'open_key', NULL, 'muted', n > 500 * $2::int)) AS r FROM core_moderation_reports r, generate_series(1, 500 * $2::int + 7) n WHERE r.id = $3) r`,
			d.Users[i], n, first)
	}
	rebuildAll(t, d.Pool)

	w, err := reports.Work(t.Context(), all, 2)

	require.NoError(t, err)
	require.Equal(t, 3, w.HolderCount)
	require.Equal(t, []projections.Holder{
		{Person: moderation.Person{ID: d.Users[1], Name: w.Holders[0].Name}, Reports: 1500},
		{Person: moderation.Person{ID: d.Users[2], Name: w.Holders[1].Name}, Reports: 1001},
	}, w.Holders)
	category := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "posts", Family: "forum.category", IDs: []string{"general"}}}}
	w, err = reports.Work(t.Context(), category, 2)
	require.NoError(t, err)
	require.Equal(t, projections.Work{Holders: []projections.Holder{}}, w)
	oldest := d.File(t, 3, "new")
	d.File(t, 3, "newer")
	w, err = reports.Work(t.Context(), all, 2)
	require.NoError(t, err)
	require.Equal(t, oldest, w.OldestUnclaimed.ID)
}
