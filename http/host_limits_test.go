package http

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestATokenOfAPluginHasItsRequestsEachMinute(t *testing.T) {
	t.Parallel()
	var limits hostLimits
	at := time.Date(2026, 11, 27, 8, 0, 45, 0, time.UTC)
	for range 6000 {
		require.NoError(t, limits.count("one", at))
	}
	require.ErrorContains(t, limits.count("one", at), "6000 requests")
	require.NoError(t, limits.count("another", at))
	require.NoError(t, limits.count("one", at.Add(15*time.Second)), "the next minute")
}
