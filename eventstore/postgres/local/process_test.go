package local_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// dataDirVariable turns this test program into a process that uses a cluster.
const dataDirVariable = "DOCKET_TEST_USE_CLUSTER"

func TestMain(m *testing.M) {
	if dataDir := os.Getenv(dataDirVariable); dataDir != "" {
		os.Exit(use(dataDir))
	}
	code := m.Run()
	if dir, err := made(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// use joins the cluster, says its URL, and leaves when standard input ends.
func use(dataDir string) int {
	c, err := local.Start(context.Background(), dataDir, zerolog.New(os.Stderr))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(c.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := c.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// process is another process that uses a cluster.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	url   string
}

func startProcess(t *testing.T, dataDir string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), dataDirVariable+"="+dataDir)
	cmd.Stderr = t.Output()
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &process{t: t, cmd: cmd, stdin: stdin}
	t.Cleanup(func() { _ = stdin.Close(); _ = cmd.Wait() }) // no matter when it has ended
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err, "the process ended before its cluster answered")
	p.url = strings.TrimSpace(line)
	return p
}

func (p *process) leave() {
	p.t.Helper()
	require.NoError(p.t, p.stdin.Close())
	require.NoError(p.t, p.cmd.Wait())
}

func (p *process) kill() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Kill())
	require.Error(p.t, p.cmd.Wait())
}

// eventually waits for what another process does in its own time.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	pgtest.Eventually(t, condition, what)
}
