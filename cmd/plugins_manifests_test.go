package cmd

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestManifestsThatAreNoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, pipe := filepath.Join(dir, "plugins"), filepath.Join(dir, "plugins", "pipe.yaml")
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	refused := pipe + ": is neither a file nor standard input\n"
	for _, test := range []struct{ name, path, stdout string }{
		{"a named pipe", pipe, refused},
		{"a named pipe in a folder", folder, refused},
		{"nothing", "", "the path of a manifest is empty\n"},
		{"no bytes", os.DevNull, "/dev/null:1: the manifest is empty\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := docket(t, nil, "plugin", "check", test.path)
			require.Equal(t, 1, got.status)
			require.Equal(t, test.stdout, got.stdout)
		})
	}
}

func TestABundleThatIsNoFile(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	got := docket(t, nil, "audit", "verify", "--bundle", pipe)
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, "is neither a file nor standard input")
}

// A shell writes <(…) as /dev/fd/63.
func TestManifestOfAPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	go func() {
		_, _ = w.WriteString("id: wi")
		_, _ = w.WriteString("ki\n")
		_ = w.Close()
	}()
	got := docket(t, nil, "plugin", "check", fmt.Sprintf("/dev/fd/%d", r.Fd()))
	require.Zero(t, got.status, got.stdout)
}

func TestWaitingForAManifestEndsAtASignal(t *testing.T) {
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	cmd := exec.Command(path, "plugin", "check", "/dev/stdin")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = stdin.Write(bytes.Repeat([]byte("# more than a pipe holds\n"), 10_000))
	require.NoError(t, err, "what it does not read blocks")

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))

	require.Error(t, cmd.Wait())
	require.Equal(t, "/dev/stdin: told to stop before it was read\n", stdout.String())
}
