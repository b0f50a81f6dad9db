//go:build clients

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// The clients are generated, compile, and speak to a server.
func TestClients(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run(t, nil, ".", "./generate", folder)
	environment := append(os.Environ(), "DATABASE_URL="+pgtest.URL(t), "DOCKET_DATA_DIR="+t.TempDir(), "DOCKET_LISTEN=127.0.0.1:0", "LOG_LEVEL=warn")
	binary := filepath.Join(t.TempDir(), "docket")
	run(t, nil, ".", "go", "build", "-o", binary, "../../cmd/docket")
	server := serve(t, environment, binary)
	token := run(t, environment, ".", binary, "token", "create", "--user", "moderator@demo.test")

	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		copyFile(t, "testdata/use.go", filepath.Join(folder, "go", "use", "main.go"))
		require.Equal(t, "in_progress Mo Moderator 1 true\nnot_found",
			run(t, append(os.Environ(), "GOWORK=off"), filepath.Join(folder, "go"), "go", "run", "./use", server, token))
	})
	t.Run("TypeScript", func(t *testing.T) {
		t.Parallel()
		own := filepath.Join(folder, "typescript")
		copyFile(t, "testdata/use.ts", filepath.Join(own, "use.ts"))
		copyFile(t, "package.json", filepath.Join(own, "package.json"))
		modules, err := filepath.Abs("node_modules")
		require.NoError(t, err)
		require.NoError(t, os.Symlink(modules, filepath.Join(own, "node_modules")))
		run(t, nil, own, "node_modules/.bin/tsc", "--strict", "--target", "es2022", "--module", "nodenext", "use.ts")
		require.Equal(t, "in_progress Mo Moderator 1 true\n400", run(t, nil, own, "node", "use.js", server, token))
	})
}

// serve starts a demo and returns its address.
func serve(t *testing.T, environment []string, binary string) (address string) {
	t.Helper()
	demo := exec.CommandContext(t.Context(), binary, "demo")
	demo.Env, demo.Stderr = environment, t.Output()
	demo.Cancel = func() error { return demo.Process.Signal(syscall.SIGTERM) }
	stdout, err := demo.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, demo.Start())
	t.Cleanup(func() { _ = demo.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err, "not ready")
	return strings.TrimSpace(strings.TrimPrefix(line, "docket ready "))
}

// run returns what a program prints in a folder. It must succeed.
func run(t *testing.T, environment []string, folder, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir, c.Env = folder, environment
	out, err := c.Output()
	var failed *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &failed)
		require.NoError(t, err, "%s %v: %s%s", program, args, out, failed.Stderr)
	}
	return strings.TrimSpace(string(out))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
	require.NoError(t, os.WriteFile(to, text, 0o600))
}
