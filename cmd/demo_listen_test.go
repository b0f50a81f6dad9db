package cmd

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDemoListensOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context()) // nothing is served
	end()
	for listen, refused := range map[string]bool{
		"127.0.0.1:0": false, "[::1]:0": false, "localhost:0": false,
		":0": true, "0.0.0.0:0": true, "[::]:0": true, "192.0.2.1:0": true, "docket.example:0": true,
	} {
		var stderr bytes.Buffer
		a := &app{environment: map[string]string{"DOCKET_LISTEN": listen, "DATABASE_URL": "postgres://127.0.0.1:1/docket", "DOCKET_AUDIT_DIR": t.TempDir()}, stdout: io.Discard, stderr: &stderr}
		a.run(ended, []string{"demo"})
		require.Equal(t, refused, bytes.Contains(stderr.Bytes(), []byte("on loopback only")), "%s: %s", listen, &stderr)
	}
}
