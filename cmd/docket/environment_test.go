package main

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
