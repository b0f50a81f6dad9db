package statistics_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// Builds that go on together part where one of them cannot.
func TestPoisonOfOneProjectionPausesNoOther(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	id := h.File(t, 0, "1")
	h.Follow(t, statistics.Projections...)
	h.SQL(t, `ALTER TABLE core_projected_targets_1 ADD CHECK (upheld = 0)`)
	h.Claim(t, id, 1)
	h.ResolveBy(t, id, 1, report.ActionTaken, "spam")
	h.File(t, 1, "1")

	h.Follow(t, statistics.Projections...)

	at := map[string]int64{}
	status, err := projector.Status(t.Context(), h.Pool, h.Clock())
	require.NoError(t, err)
	for _, s := range status {
		at[s.Name] = s.Position
		require.Equal(t, s.Name == "targets", s.PausedAt != nil, s.Name)
	}
	require.Equal(t, map[string]int64{"targets": 2, "reporters": 4, "daily": 4, "policies": 4}, at)

	// When it may go on, it catches up by itself, and they are together again.
	h.SQL(t, `ALTER TABLE core_projected_targets_1 DROP CONSTRAINT core_projected_targets_1_upheld_check`)
	require.NoError(t, projector.Resume(t.Context(), h.Pool, "targets"))
	h.Wait(time.Minute)
	h.Reopen(t, id, 2)
	h.Follow(t, statistics.Projections...)
	status, err = projector.Status(t.Context(), h.Pool, h.Clock())
	require.NoError(t, err)
	for _, s := range status {
		require.EqualValues(t, 5, s.Position, s.Name)
		r, err := find(t, s.Name).Verify(t.Context(), h.Pool, projector.Options{})
		require.NoError(t, err)
		require.NotZero(t, r.Compared)
		require.Zero(t, r.Wrong, s.Name)
	}
}

func find(t *testing.T, name string) projector.Counted {
	t.Helper()
	for _, p := range statistics.Projections {
		if p.ID() == name {
			return p.(projector.Counted)
		}
	}
	t.Fatal("no such projection: " + name)
	return projector.Counted{}
}

func TestRebuildTogetherCountsTheSame(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	h.Worked(t, 0, "1")
	h.File(t, 1, "1")
	h.Follow(t, statistics.Projections...)
	before := map[string][]string{}
	for _, p := range statistics.Projections {
		before[p.ID()] = rows(t, h, p.ID())
	}
	// Given that one of them was begun before, and stopped on its way.
	require.NoError(t, projector.StartBuild(t.Context(), h.Pool, find(t, "daily"), false))

	_, err := newProjector(h).Rebuild(t.Context(), statistics.Projections, projector.Options{})
	require.NoError(t, err)

	for _, p := range statistics.Projections {
		require.Equal(t, before[p.ID()], rows(t, h, p.ID()), p.ID())
	}
	builds, err := projector.Builds(t.Context(), h.Pool)
	require.NoError(t, err)
	require.Len(t, builds, 2*len(statistics.Projections))
}
