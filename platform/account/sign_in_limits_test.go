package account

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	mine, others := accountKey("a@b.test"), accountKey("c@d.test")
	repeat := func(n int, account []byte, newest time.Duration) []failure {
		failures := make([]failure, n)
		for i := range failures {
			failures[i] = failure{account, start.Add(-newest - time.Duration(i)*time.Second)}
		}
		return failures
	}
	tests := []struct {
		name     string
		failures []failure
		known    bool
		want     time.Duration
	}{
		{"none", nil, false, 0},
		{"nine of the account", repeat(9, mine, 0), false, 0},
		{"ten of the account", repeat(10, mine, 0), false, failureWindow - 9*time.Second},
		{"ten of another account", repeat(10, others, 0), false, 0},
		{"eleven, of which the tenth newest counts", repeat(11, mine, 0), false, failureWindow - 9*time.Second},
		{"nine of the account among many", append(repeat(9, mine, 0), repeat(90, others, time.Minute)...), false, 0},
		{"a hundred of the address", repeat(100, others, 0), false, failureWindow - 99*time.Second},
		{"a hundred of a known address", repeat(100, others, 0), true, 0},
		{"ten of the account from a known address", repeat(10, mine, 0), true, failureWindow - 9*time.Second},
		{"both limits: the longer wait", append(repeat(10, mine, 0), repeat(90, others, time.Minute)...), false, failureWindow - 9*time.Second},
	}
	for _, test := range tests {
		require.Equal(t, test.want, retryAfter(test.failures, mine, test.known, start), test.name)
	}
}

// Whatever the failures, an attempt is refused exactly when one more failure
// would make an eleventh of the account or a hundred and first of the address,
// and no longer than the answer says.
func TestRetryAfterIsExact(t *testing.T) {
	t.Parallel()
	accounts := [][]byte{accountKey("a"), accountKey("b"), accountKey("c")}
	rapid.Check(t, func(t *rapid.T) {
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
			return ofAccount < failuresPerAccount && len(within(now)) < failuresPerAddress
		}
		wait := retryAfter(within(start), accounts[0], false, start)
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
		require.Equal(t, test.want, addressKey(netip.MustParseAddr(test.address)).String(), name)
	}
	require.True(t, addressKey(netip.Addr{}).IsValid(), "a Unix socket's peer")
}
