package publicnotice

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/publicnotice"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a platform that is slower than the patience of who confirms, then the button can be pressed again.
func TestALinkStaysGoodIfItsSenderLeavesBeforeThePlatformAnswers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO core_public_notices (id, address, notice, hash, requested_at) VALUES (gen_random_uuid(), '::', '{}', $1, now())`, hashOf("token"))
	s := Store{Pool: pool, Now: time.Now}
	ctx, leave := context.WithCancel(t.Context())
	s.File = func(context.Context, string, publicnotice.Notice) (bool, error) {
		leave()
		return false, errors.New("no answer")
	}
	_, err := s.Confirm(ctx, "token")
	require.ErrorContains(t, err, "no answer")

	s.File = func(context.Context, string, publicnotice.Notice) (bool, error) { return true, nil }
	for _, filed := range []bool{true, false} {
		got, err := s.Confirm(t.Context(), "token")
		require.Equal(t, filed, got)
		require.Equal(t, filed, err == nil, "it files once")
	}
}

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
