package subscribers

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/stretchr/testify/require"
)

// attempts returns how often a message is handled that fails with err, and for how long.
func attempts(t *testing.T, fails error) (n int, took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var config Config
		config.setDefaults()
		start := time.Now()
		handle := config.retry(onlyFailures(func(*message.Message) ([]*message.Message, error) { n++; return nil, fails }))
		_, err := handle(message.NewMessage("", nil))
		require.ErrorIs(t, err, fails)
		took = time.Since(start)
	})
	return n, took
}

// A transaction waits meanwhile, which delays other readers.
func TestAnEventIsSetAsideAfterTwoSeconds(t *testing.T) {
	t.Parallel()
	n, took := attempts(t, errors.New("no luck"))
	require.Equal(t, 5, n)
	require.InDelta(t, 2*time.Second, took, float64(500*time.Millisecond))
}

func TestOnlyFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	n, took := attempts(t, errBatchOver)
	require.Equal(t, 1, n)
	require.Zero(t, took)
}
