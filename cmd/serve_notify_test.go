package cmd

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestSystemdIsToldThatTheServerIsReady(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	defer func() { _ = systemd.Close() }()

	_, lines := serveProduction(t, pgtest.URL(t), "NOTIFY_SOCKET", socket)

	said := make([]byte, 100)
	n, err := systemd.Read(said)
	require.NoError(t, err)
	require.Equal(t, "READY=1", string(said[:n]))
	require.Contains(t, <-lines, "docket setup ")
}
