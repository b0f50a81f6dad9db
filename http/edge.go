package http

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/docketmod/docket/domain"
)

const codeMisdirected domain.Code = "misdirected_request"

// hstsAge is how long browsers use https only, in seconds: a year.
const hstsAge = "max-age=31536000"

// withHost refuses unknown hosts outside production, where no proxy does so. Otherwise a page
// of another site whose name resolves to this machine (DNS rebinding) could read what the
// server answers without a password.
func (s *server) withHost(next http.Handler) http.Handler {
	if s.Production || s.BaseURL == nil {
		return next
	}
	ours := strings.ToLower(s.BaseURL.Hostname())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := hostname(r.Host); name != ours && !isLoopback(name) {
			writeError(w, r, domain.Errorf(codeMisdirected, "This server is not known by the name in the Host header. Set DOCKET_BASE_URL to the address that people use."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostname returns a Host header's name in lower case, without port and brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

func isLoopback(name string) bool {
	if address, err := netip.ParseAddr(name); err == nil {
		return address.Unmap().IsLoopback()
	}
	name = strings.TrimSuffix(name, ".")
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// withForwardedWarning logs, at most once a minute, that a peer which is no trusted proxy
// sends X-Forwarded-For: behind an undeclared proxy everybody shares one address, and so
// one limit of sign-in failures.
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
