package http

import (
	"net/http"
	"net/netip"
	"strings"
)

// maxForwarded bounds how many hops of X-Forwarded-For are looked at.
const maxForwarded = 50

// ClientAddress is the address that sign-in limits count by: the peer's, or,
// when a trusted proxy is the peer, the nearest one in X-Forwarded-For that is
// no trusted proxy. What stands further from us anybody could have written. It
// is the zero Addr for a peer without an address, such as on a Unix socket.
func ClientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	address, ok := parseAddress(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= max(0, len(hops)-maxForwarded) && contains(trusted, address); i-- {
		hop, ok := parseAddress(strings.TrimSpace(hops[i]))
		if !ok {
			break // the proxy wrote no address: it answers for its client
		}
		address = hop
	}
	return address
}

// parseAddress reads an address with or without a port, as both are sent.
func parseAddress(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap().WithZone(""), err == nil
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	for _, prefix := range prefixes {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
