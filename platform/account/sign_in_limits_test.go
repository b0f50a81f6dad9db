package account

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever the failures, an attempt is refused exactly when one more failure
// would make an eleventh of the account or a hundred and first of the address,
// and no longer than the answer says.
func TestRetryAfterIsExact(t *testing.T) {
	t.Parallel()
	accounts := [][]byte{accountKey("a"), accountKey("b"), accountKey("c")}
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.Bool().Draw(t, "known") // to the account, which bounds failures by no address
		n := rapid.IntRange(0, 120).Draw(t, "failures")
		failures := make([]failure, n)
		at := start
		for i := range failures {
			at = at.Add(-time.Duration(rapid.IntRange(0, 20).Draw(t, "seconds")) * time.Second)
			failures[i] = failure{accounts[rapid.IntRange(0, 2).Draw(t, "account")], at}
		}
		within := func(now time.Time) (kept []failure) {
			for _, f := range failures {
				if f.At.After(now.Add(-failureWindow)) {
					kept = append(kept, f)
				}
			}
			return kept
		}
		open := func(now time.Time) bool {
			ofAccount := 0
			for _, f := range within(now) {
				if string(f.Account) == string(accounts[0]) {
					ofAccount++
				}
			}
			return ofAccount < failuresPerAccount && (known || len(within(now)) < failuresPerAddress)
		}
		wait := retryAfter(within(start), accounts[0], known, start)
		if open(start) != (wait == 0) {
			t.Fatalf("wait is %s", wait)
		}
		if wait > 0 && (open(start.Add(wait-time.Microsecond)) || !open(start.Add(wait))) {
			t.Fatalf("not open exactly after %s", wait)
		}
	})
}

func TestAddressKey(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ address, want string }{
		"IPv4":               {"203.0.113.7", "203.0.113.7"},
		"IPv4 within IPv6":   {"::ffff:203.0.113.7", "203.0.113.7"},
		"a network of IPv6":  {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"},
		"IPv6 with its zone": {"fe80::1%eth0", "fe80::"},
	}
	for name, test := range tests {
		require.Equal(t, test.want, AddressKey(netip.MustParseAddr(test.address)).String(), name)
	}
	require.True(t, AddressKey(netip.Addr{}).IsValid(), "a Unix socket's peer")
}
