package cmd

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

// hostPort reports whether text is an address to listen on. The host may be empty or a name.
func hostPort(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// addressOf returns the address of a listener for URLs. If it listens on every address, the host is
// localhost, since browsers do not accept [::] in an origin.
func addressOf(listening net.Addr) string {
	if tcp, ok := listening.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return listening.String()
}

// parseBase parses a base URL and writes it as browsers write an origin: with the host in
// lower case, and without the scheme's default port.
func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	base.Host = strings.ToLower(base.Host)
	implied := map[string]string{"http": ":80", "https": ":443"}[base.Scheme]
	base.Host = strings.TrimSuffix(base.Host, implied)
	return base, nil
}
