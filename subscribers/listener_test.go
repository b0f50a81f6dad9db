package subscribers

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A transaction waits meanwhile, which delays other readers.
func TestAnEventIsTriedAgainForTwoSecondsUnlessItsBatchIsOver(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]struct {
		attempts int
		took     time.Duration
	}{errors.New("no luck"): {5, 2 * time.Second}, errBatchOver: {1, 0}} {
		synctest.Test(t, func(t *testing.T) {
			var config Config
			config.setDefaults()
			g := group{router: &Router{config: config}}
			attempts, start := 0, time.Now()
			require.ErrorIs(t, g.retry(t.Context(), func() error { attempts++; return err }), err)
			require.Equal(t, want.attempts, attempts)
			require.Equal(t, want.took, time.Since(start))
		})
	}
}
