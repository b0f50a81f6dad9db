package domain

import (
	"net"
	"net/url"
)

// SecureURL reports whether an address is https, or http to a loopback address, so that no man in
// the middle can change the response.
func SecureURL(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}
