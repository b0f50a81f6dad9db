package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unit is the folder of the unit with the binary that was built in the place of the
// installed one, which systemd-analyze looks for.
func unit(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../systemd/docket.service")
	require.NoError(t, err)
	binary, err := filepath.Abs("../../../bin/docket")
	require.NoError(t, err)
	require.FileExists(t, binary, "make build makes it")
	text = []byte(strings.ReplaceAll(string(text), "/usr/bin/docket", binary))
	text = []byte(strings.ReplaceAll(string(text), "man:docket(1) ", "")) // is not installed here
	path := filepath.Join(t.TempDir(), "docket.service")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

func TestUnitIsValid(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "verify", unit(t)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, strings.TrimSpace(string(out)))
}

// Exposure is 0 to 100; what is left is the network, which a server needs.
func TestUnitIsHardened(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=15", unit(t)).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
