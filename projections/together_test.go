package projections_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
)

// Builds that go on together part where one of them cannot.
func TestPoisonOfOneProjectionPausesNoOther(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	id := h.file(t, 0, "1")
	h.project(t)
	h.sql(t, `ALTER TABLE core_projected_targets_1 ADD CHECK (upheld = 0)`)
	h.claim(t, id, 1)
	h.resolve(t, id, 1, report.ActionTaken)
	h.file(t, 1, "1")

	h.project(t)

	at := map[string]int64{}
	status, err := projections.Status(t.Context(), h.pool, h.clock())
	require.NoError(t, err)
	for _, s := range status {
		at[s.Name] = s.Position
		require.Equal(t, s.Name == "targets", s.PausedAt != nil, s.Name)
	}
	require.Equal(t, map[string]int64{"targets": 2, "reporters": 4, "daily": 4}, at)

	// When it may go on, it catches up by itself, and they are together again.
	h.sql(t, `ALTER TABLE core_projected_targets_1 DROP CONSTRAINT core_projected_targets_1_upheld_check`)
	require.NoError(t, projections.Resume(t.Context(), h.pool, "targets"))
	h.wait(time.Minute)
	h.reopen(t, id, 2)
	h.project(t)
	status, err = projections.Status(t.Context(), h.pool, h.clock())
	require.NoError(t, err)
	for _, s := range status {
		require.EqualValues(t, 5, s.Position, s.Name)
		rows, wrong, err := projections.VerifyCounted(t.Context(), h.pool, find(t, s.Name), nil)
		require.NoError(t, err)
		require.NotZero(t, rows)
		require.Zero(t, wrong, s.Name)
	}
}

func find(t *testing.T, name string) projections.Projection {
	t.Helper()
	p, ok := projections.Find(name)
	require.True(t, ok)
	return p
}

func TestRebuildTogetherCountsTheSame(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.worked(t, 0, "1")
	h.file(t, 1, "1")
	h.project(t)
	before := map[string][]string{}
	for _, p := range projections.Projections {
		before[p.Name] = h.rows(t, p.Name)
	}
	// Given that one of them was begun before, and stopped on its way.
	require.NoError(t, projections.StartBuild(t.Context(), h.pool, find(t, "daily"), false))

	require.NoError(t, h.projector().RebuildTogether(t.Context(), projections.Projections, nil))

	for _, p := range projections.Projections {
		require.Equal(t, before[p.Name], h.rows(t, p.Name), p.Name)
	}
	builds, err := projections.Builds(t.Context(), h.pool)
	require.NoError(t, err)
	require.Len(t, builds, 6)
}

// A rebuild folds reports without their locks. What is decided until it has them
// is not lost.
func TestRewriteFoldsAgainWhatHasMovedOn(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	moved, still := h.worked(t, 0, "1"), h.worked(t, 1, "2")
	folds, mismatches, err := projections.Compare(t.Context(), h.pool, []string{moved, still})
	require.NoError(t, err)
	require.Empty(t, mismatches)
	h.reopen(t, moved, 3)
	h.note(t, moved, 3, uuid.NewString())
	before := h.dump(t)

	require.NoError(t, projections.Rewrite(t.Context(), h.pool, folds))

	require.Equal(t, before, h.dump(t))
}
