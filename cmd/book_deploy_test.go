package cmd

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

// operateBlock is the shell block of docs/operate.md that follows the words.
func operateBlock(t *testing.T, words string) string {
	t.Helper()
	_, rest, found := strings.Cut(page(t, "docs/operate.md"), words)
	require.True(t, found, words)
	_, rest, found = strings.Cut(rest, "```sh\n")
	require.True(t, found, words)
	block, _, found := strings.Cut(rest, "```")
	require.True(t, found, words)
	return block
}

// deployed runs commands of docs/operate.md in a folder in which bin/docket and docket are the
// binary, with the database and the listener of a test in the place of the printed ones.
func deployed(t *testing.T, commands, databaseURL string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "bin"), 0o755))
	require.NoError(t, os.Symlink(path, filepath.Join(folder, "bin", "docket")))
	commands = strings.Replace(commands, "postgres://docket@db/docket", "'"+databaseURL+"'", 1) // which holds an &
	shell := exec.Command("bash", "-euo", "pipefail", "-c", `make() { [ "$*" = build ]; }`+"\n"+strings.Replace(commands, "bin/docket serve", "exec bin/docket serve", 1))
	shell.Dir = folder
	shell.Env = append(os.Environ(), "PATH="+filepath.Join(folder, "bin")+":"+os.Getenv("PATH"), "LOG_LEVEL=warn",
		"HOME="+folder, "DOCKET_DRAIN=0s")
	return shell
}

// TestBookDeploysFromSource runs what docs/operate.md prints, from an empty database to a
// server whose first administrator makes their account by the printed link and signs in.
func TestBookDeploysFromSource(t *testing.T) {
	t.Parallel()
	shell := deployed(t, operateBlock(t, "**From source**"), pgtest.Empty(t))
	address := closedPort(t)
	shell.Env = append(shell.Env, "DOCKET_LISTEN="+address)
	var said strings.Builder
	shell.Stderr = &said
	out, err := shell.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, shell.Start())
	lines := bufio.NewScanner(out)
	ready := false
	for !ready && lines.Scan() {
		ready = strings.HasPrefix(lines.Text(), "docket ready https://moderation.example")
	}
	require.True(t, ready, "%s", &said)
	require.True(t, lines.Scan(), "%s", &said)
	link, found := strings.CutPrefix(lines.Text(), "docket setup ")
	require.True(t, found, lines.Text())
	board, err := exec.Command("../scripts/deploy/check/board", "http://"+address, link).CombinedOutput()
	require.NoError(t, err, "%s", board)
	require.NoError(t, shell.Process.Signal(syscall.SIGTERM))
	for lines.Scan() {
		t.Log(lines.Text())
	}
	require.NoError(t, shell.Wait(), "%s", &said)
}

// TestBookBacksUp runs the two commands of docs/operate.md on one database and then on
// another.
func TestBookBacksUp(t *testing.T) {
	t.Parallel()
	block := strings.Split(strings.TrimSpace(operateBlock(t, "## Back up and restore")), "\n")
	require.Len(t, block, 2)
	folder := t.TempDir()
	for i, databaseURL := range []string{pgtest.URL(t), pgtest.Empty(t)} {
		shell := deployed(t, block[i], databaseURL)
		shell.Dir = folder
		shell.Env = append(shell.Env, "DATABASE_URL="+databaseURL, "DOCKET_AUDIT_DIR="+filepath.Join(folder, "audit"))
		out, err := shell.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
