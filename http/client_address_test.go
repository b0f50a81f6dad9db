package http

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name      string
		peer      string
		forwarded []string
		trusted   []netip.Prefix
		want      string
	}{
		{"the peer without proxies", "203.0.113.7:1234", nil, proxies, "203.0.113.7"},
		{"a header from anybody is not believed", "203.0.113.7:1234", []string{"198.51.100.1"}, proxies, "203.0.113.7"},
		{"a header is not believed when no proxy is trusted", "10.0.0.1:1234", []string{"198.51.100.1"}, nil, "10.0.0.1"},
		{"a trusted proxy names its client", "10.0.0.1:1234", []string{"198.51.100.1"}, proxies, "198.51.100.1"},
		{"what the client wrote itself is skipped", "10.0.0.1:1234", []string{"1.1.1.1, 198.51.100.1"}, proxies, "198.51.100.1"},
		{"a chain of proxies", "10.0.0.1:1234", []string{"1.1.1.1, 198.51.100.1, 10.0.0.9", "fd00::2"}, proxies, "198.51.100.1"},
		{"a request of a proxy's own", "10.0.0.1:1234", []string{"10.0.0.3"}, proxies, "10.0.0.3"},
		{"no header at all", "10.0.0.1:1234", nil, proxies, "10.0.0.1"},
		{"nonsense stops at the last known hop", "10.0.0.1:1234", []string{"1.1.1.1, unknown, 10.0.0.2"}, proxies, "10.0.0.2"},
		{"ports and brackets", "10.0.0.1:1234", []string{"[2001:db8::1]:443"}, proxies, "2001:db8::1"},
		{"brackets alone", "10.0.0.1:1234", []string{"[2001:db8::1]"}, proxies, "2001:db8::1"},
		{"IPv4 within IPv6 is IPv4", "[::ffff:10.0.0.1]:1", []string{"::ffff:198.51.100.1"}, proxies, "198.51.100.1"},
		{"a zone is dropped", "[fe80::1%eth0]:1", nil, proxies, "fe80::1"},
		{"a Unix socket has none", "@", []string{"198.51.100.1"}, proxies, "invalid IP"},
	}
	for _, test := range tests {
		r := &http.Request{RemoteAddr: test.peer, Header: http.Header{"X-Forwarded-For": test.forwarded}}
		require.Equal(t, test.want, ClientAddress(r, test.trusted).String(), test.name)
	}
}
