package cmd

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddressOfAListener(t *testing.T) {
	t.Parallel()
	tests := []struct{ listening, want string }{
		{"127.0.0.1:8080", "127.0.0.1:8080"},
		{"[::1]:8080", "[::1]:8080"},
		{"0.0.0.0:8080", "localhost:8080"},
		{"[::]:8080", "localhost:8080"},
	}
	for _, test := range tests {
		address, err := net.ResolveTCPAddr("tcp", test.listening)
		require.NoError(t, err)
		require.Equal(t, test.want, addressOf(address))
	}
}

func TestBaseIsAnOrigin(t *testing.T) {
	t.Parallel()
	for text, origin := range map[string]string{
		"https://docket.example":      "https://docket.example",
		"https://Docket.Example:443/": "https://docket.example",
		"HTTPS://docket.example:8443": "https://docket.example:8443",
		"http://[2001:DB8::80]:80":    "http://[2001:db8::80]",
		"http://[2001:db8::80]":       "http://[2001:db8::80]",
		"http://docket.example:443":   "http://docket.example:443",
		"https://docket.example:80":   "https://docket.example:80",
	} {
		base, err := parseBase(text)
		require.NoError(t, err)
		require.Equal(t, origin, base.Scheme+"://"+base.Host)
	}
}
