package cmd

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearAddress(t *testing.T) {
	t.Parallel()
	for listen, near := range map[string]string{
		"127.0.0.1:8080": "127.0.0.1:8080", "0.0.0.0:8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080",
		"[::]:8080": "[::1]:8080", "10.0.0.7:80": "10.0.0.7:80",
	} {
		address, err := nearAddress(listen)
		require.NoError(t, err)
		require.Equal(t, near, address, listen)
	}
	_, err := nearAddress("127.0.0.1:0")
	require.ErrorContains(t, err, "picked")
}

func TestReadyAsksTheServer(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	environment := map[string]string{"DOCKET_LISTEN": server.Listener.Addr().String(), "DOCKET_DATA_DIR": t.TempDir()}

	require.Equal(t, outcome{exitSuccess, "ready\n", ""}, docket(t, environment, "ready"))

	status = http.StatusServiceUnavailable
	said := docket(t, environment, "ready")
	require.Equal(t, exitFailure, said.status)
	require.Contains(t, said.stderr, "not ready")

	server.Close()
	said = docket(t, environment, "ready")
	require.Equal(t, exitFailure, said.status)
	require.Contains(t, said.stderr, "no server answers")
}
