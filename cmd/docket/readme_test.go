package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/postgres/pgtest"
)

// TestReadmeSession runs the session that README.md prints, as it is printed.
func TestReadmeSession(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "The same from a shell:\n\n```sh\n")
	require.True(t, found)
	session, _, found := strings.Cut(rest, "```")
	require.True(t, found)

	p := startProcess(t, map[string]string{"DATABASE_URL": pgtest.URL(t)}, "demo")
	shell := exec.Command("bash", "-euo", "pipefail", "-c", strings.Replace(session, "http://127.0.0.1:8080", p.url, 1))
	shell.Dir = t.TempDir()
	out, err := shell.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NotContains(t, string(out), `"error"`)
	for _, want := range []string{`"status":"new"`, `"status":"in_progress"`, `"body":"Looks harmless to me."`, `"status":"done"`, `"sequence":1,`} {
		require.Contains(t, string(out), want)
	}
}
