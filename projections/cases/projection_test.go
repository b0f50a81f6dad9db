package cases_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/scripts/fill/history"
)

// Given a first rebuild that ends before all cases are stored, then the next follower stores
// all of them.
func TestAnInterruptedFirstRebuildBeginsAgain(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	_, err := history.Forum(t.Context(), d.Pool, history.Size{Reports: 1400, Cases: 1400}, nil, nil)
	require.NoError(t, err)
	want := all(t, d)
	require.Greater(t, len(want), 500)
	d.SQL(t, `TRUNCATE core_moderation_cases`)
	d.SQL(t, `DELETE FROM core_projections WHERE name = 'cases'`)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err = cases.Projection.Rebuild(ctx, d.Pool, projector.Options{Progress: func(int64, int64) { stop() }})
	require.Error(t, err)
	require.NotEmpty(t, all(t, d))
	require.Less(t, len(all(t, d)), len(want))

	d.Follow(t, cases.Projection)
	require.ElementsMatch(t, want, all(t, d))
}
