package egress

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGuardRefusesWhatIsNotPublic(t *testing.T) {
	t.Parallel()
	refused := []string{
		"127.0.0.1", "127.8.8.8", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "0.1.2.3",
		"100.64.0.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1",
		"::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1", "2001:db8::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1",
	}
	for _, text := range refused {
		require.Error(t, guard{}.check(netip.MustParseAddr(text)), text)
	}
	for _, text := range []string{"1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1", "172.32.0.1"} {
		require.NoError(t, guard{}.check(netip.MustParseAddr(text)), text)
	}
	inside := guard{allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	require.NoError(t, inside.check(netip.MustParseAddr("10.1.2.3")))
	require.NoError(t, inside.check(netip.MustParseAddr("::ffff:10.1.2.3")))
	require.Error(t, inside.check(netip.MustParseAddr("10.2.0.1")))
	require.Error(t, guard{}.control("tcp4", "nonsense", nil))
}
