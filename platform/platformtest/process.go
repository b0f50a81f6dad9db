package platformtest

import (
	"bufio"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Process is another run of the test program, to be killed like a server.
type Process struct {
	t   testing.TB
	cmd *exec.Cmd
}

// StartProcess runs the test program with the variable, which makes its TestMain do something other
// than testing, and returns once it has printed the line. It is killed at the end of the test at
// the latest.
func StartProcess(t testing.TB, variable, value, line string) *Process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+value)
	cmd.Stderr = t.Output()
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	p := &Process{t, cmd}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() }) // no matter when it has ended
	said, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, "the process ended before it said %q", line)
	require.Equal(t, line+"\n", said)
	return p
}

// Kill kills the process without a shutdown, and waits until it has ended.
func (p *Process) Kill() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Kill())
	_ = p.cmd.Wait() // the error only says that it was killed
}
