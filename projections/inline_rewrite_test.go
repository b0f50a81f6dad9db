package projections_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/projections"
)

// A rebuild folds reports without their locks. What is decided until it has them
// is not lost.
func TestRewriteFoldsAgainWhatHasMovedOn(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	moved, still := h.Worked(t, 0, "1"), h.Worked(t, 1, "2")
	folds, mismatches, err := projections.Compare(t.Context(), h.Pool, []string{moved, still})
	require.NoError(t, err)
	require.Empty(t, mismatches)
	h.Reopen(t, moved, 3)
	h.Note(t, moved, 3, uuid.NewString())
	before := h.Dump(t)

	require.NoError(t, projections.Rewrite(t.Context(), h.Pool, folds))

	require.Equal(t, before, h.Dump(t))
}
