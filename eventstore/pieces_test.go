package eventstore_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
)

func TestPiecesAreTheWholeLogOnceWithAPauseAfterEach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told []int64
		next := int64(0)
		began := time.Now()
		err := eventstore.InPieces(t.Context(), 1050, func(done int64) error { told = append(told, done); return nil }, func(after, through int64) error {
			require.Equal(t, next, after)
			next = through
			time.Sleep(400 * time.Millisecond)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, int64(1050), next)
		require.Equal(t, 6*800*time.Millisecond, time.Since(began))
		require.Equal(t, []int64{0, 400, 800, 1050}, told, "at most once a second")
	})
}

func TestPiecesEndWithTheFirstError(t *testing.T) {
	t.Parallel()
	cause := errors.New("no more")
	nothing := func(int64) error { return nil }
	require.ErrorIs(t, eventstore.InPieces(t.Context(), 0, func(int64) error { return cause }, nil), cause, "an empty log is told of, too")
	pieces := 0
	require.ErrorIs(t, eventstore.InPieces(t.Context(), 1000, nothing, func(int64, int64) error { pieces++; return cause }), cause)
	require.Equal(t, 1, pieces)

	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, eventstore.InPieces(ctx, 1000, nothing, func(int64, int64) error { pieces++; cancel(); return nil }), context.Canceled)
	require.Equal(t, 2, pieces)
}
