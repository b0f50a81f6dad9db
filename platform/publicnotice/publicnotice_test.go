package publicnotice

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatCountsAsOneAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"203.0.113.7":             "203.0.113.7",
		"::ffff:203.0.113.7":      "203.0.113.7",
		"2001:db8:1:2:3:4:5:6":    "2001:db8:1:2::",
		"2001:db8:1:2:ffff::1":    "2001:db8:1:2::",
		"fe80:0:0:1:2:3:4:5%eth0": "fe80:0:0:1::",
	} {
		require.Equal(t, netip.MustParseAddr(want), network(netip.MustParseAddr(given)), given)
	}
	require.Equal(t, netip.IPv6Unspecified(), network(netip.Addr{}))
}
