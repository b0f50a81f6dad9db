package fingerprints_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/fingerprints"
	"github.com/docketmod/docket/scripts/fill/history"
)

// Given a log that grows, when it is followed, then the fingerprints are what a rebuild makes; when one is
// edited, lost, or of no report, then a verification names each, and a rebuild corrects them.
func TestFingerprintsOfManyReports(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	_, err := history.Forum(t.Context(), d.Pool, history.Size{Reports: 450, Cases: 20}, nil, nil)
	require.NoError(t, err)
	require.Empty(t, d.Wrong(t, fingerprints.Projection))
	d.SQL(t, `TRUNCATE core_moderation_fingerprints`)
	d.SQL(t, `UPDATE core_projections SET position = 0 WHERE name = 'fingerprints'`)
	d.CatchUp(t, fingerprints.Projection)
	require.Empty(t, d.Wrong(t, fingerprints.Projection))
	edits := []string{
		`UPDATE core_moderation_fingerprints SET keys[1] = 7 WHERE report_id = $1`,
		`UPDATE core_moderation_fingerprints SET signature = '\x01' WHERE report_id = $1`,
		`UPDATE core_moderation_fingerprints SET open = NOT open WHERE report_id = $1`,
		`UPDATE core_moderation_fingerprints SET decided_at = '2020-01-01' WHERE report_id = $1`,
		`DELETE FROM core_moderation_fingerprints WHERE report_id = $1`,
		`UPDATE core_moderation_fingerprints SET report_id = gen_random_uuid() WHERE report_id = $1`,
	}
	ids := pgtest.All[string](t, d.Pool, `SELECT report_id::text FROM core_moderation_fingerprints ORDER BY 1 LIMIT $1`, len(edits))
	for i, edit := range edits {
		pgtest.Exec(t, d.Pool, edit, ids[i])
	}
	wrong := d.Wrong(t, fingerprints.Projection)
	for i, edit := range edits {
		require.Contains(t, wrong, "report "+ids[i]+": its fingerprint is not what its content and its decisions make of it", edit)
	}
	require.Len(t, wrong, len(edits)+1, "and the row of no report")
	d.Rebuild(t, fingerprints.Projection)
	require.Empty(t, d.Wrong(t, fingerprints.Projection))
}
