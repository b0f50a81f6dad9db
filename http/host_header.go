package http

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/docketmod/docket/domain"
)

// withHost refuses unknown hosts outside production, where no proxy does so. Otherwise a page of
// another site whose name resolves to this machine (DNS rebinding) could read what the server
// returns without a password.
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
