package platformtest

import (
	"bufio"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Process is the test program run once more, to be killed as servers are.
type Process struct {
	t   testing.TB
	cmd *exec.Cmd
}

// StartProcess runs the test program with the variable set, by which its TestMain
// does something else than testing, and returns once it has printed the line. The
// end of the test kills it at the latest.
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

// Kill ends the process as a crash does, and waits for its end.
func (p *Process) Kill() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Kill())
	_ = p.cmd.Wait() // tells that it was killed
}
