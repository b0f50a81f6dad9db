package http

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// maxForwarded bounds how many hops of X-Forwarded-For are read.
const maxForwarded = 50

// ClientAddress returns the address for sign-in limits. It is the peer's address. If the peer is a
// trusted proxy, it is the nearest address in X-Forwarded-For that is not a trusted proxy's; a
// client could have written those before it. It is the zero Addr if the peer has no address, as on
// a Unix socket.
func ClientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	address, ok := parseAddress(r.RemoteAddr)
	if !ok {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= max(0, len(hops)-maxForwarded) && contains(trusted, address); i-- {
		hop, ok := parseAddress(strings.TrimSpace(hops[i]))
		if !ok {
			break // the proxy wrote no address, so its own counts
		}
		address = hop
	}
	return address
}

// parseAddress reads an address with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap().WithZone(""), err == nil
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(address) })
}

// withForwardedWarning logs, at most once a minute, that a peer which is no trusted proxy sends
// X-Forwarded-For: behind an undeclared proxy all clients share one address, and so one limit of
// sign-in failures.
func (s *server) withForwardedWarning(next http.Handler) http.Handler {
	var last atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" {
			peer, ok := parseAddress(r.RemoteAddr)
			now, before := time.Now().Unix(), last.Load()
			if ok && !contains(s.TrustedProxies, peer) && now-before >= 60 && last.CompareAndSwap(before, now) {
				if s.OnUntrustedProxy != nil {
					s.OnUntrustedProxy()
				}
				s.Log.Warn().Str("peer", peer.String()).
					Msg("X-Forwarded-For comes from a peer that is not in DOCKET_TRUSTED_PROXIES: it is ignored, and everybody behind that peer shares one address")
			}
		}
		next.ServeHTTP(w, r)
	})
}
