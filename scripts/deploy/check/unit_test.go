package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// unit is a unit with the binary that was built in the place of the
// installed one, which systemd-analyze looks for.
func unit(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../systemd/" + name)
	require.NoError(t, err)
	binary, err := filepath.Abs("../../../bin/docket")
	require.NoError(t, err)
	require.FileExists(t, binary, "make build makes it")
	text = []byte(strings.ReplaceAll(string(text), "/usr/bin/docket", binary))
	text = []byte(strings.ReplaceAll(string(text), "man:docket(1)", "")) // is not installed here
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

func TestUnitIsValid(t *testing.T) {
	for _, name := range []string{"docket.service", "docket-backup.service", "docket-verify.service"} {
		out, err := exec.Command("systemd-analyze", "verify", unit(t, name)).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Empty(t, strings.TrimSpace(string(out)), name)
	}
	for _, name := range []string{"docket-backup", "docket-verify"} {
		text, err := os.ReadFile("../systemd/" + name + ".timer")
		require.NoError(t, err)
		when := regexp.MustCompile(`(?m)^OnCalendar=(.*)$`).FindStringSubmatch(string(text))
		require.NotNil(t, when)
		out, err := exec.Command("systemd-analyze", "calendar", when[1]).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// The unit's command backs up to a file that is named by the time, as the shell gets it from systemd.
func TestTheBackupIsNamedByItsTime(t *testing.T) {
	text, err := os.ReadFile("../systemd/docket-backup.service")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^ExecStart=/bin/sh -c '(.*)'$`).FindStringSubmatch(string(text))
	require.NotNil(t, command)
	script := strings.NewReplacer("%%", "%", "/usr/bin/docket", "echo").Replace(command[1])
	out, err := exec.Command("sh", "-c", script).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `^backup /var/lib/docket/backups/docket-\d{8}T\d{6}\.zip\n$`, string(out))
}

// Given backups and what a killed one left, when another is made, then those of more than two weeks go.
func TestOldBackupsGo(t *testing.T) {
	text, err := os.ReadFile("../systemd/docket-backup.service")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^ExecStartPost=(.*)$`).FindStringSubmatch(string(text))
	require.NotNil(t, command)
	folder := t.TempDir()
	for name, days := range map[string]int{"docket-1.zip": 16, "docket-2.zip": 1, ".docket-backup-1": 16, ".docket-backup-2": 0, "mine.zip": 16} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		then := time.Now().AddDate(0, 0, -days)
		require.NoError(t, os.Chtimes(path, then, then))
	}
	out, err := exec.Command("sh", "-c", strings.ReplaceAll(command[1], "/var/lib/docket/backups", folder)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	require.Equal(t, []string{".docket-backup-2", "docket-2.zip", "mine.zip"}, left)
}

// Exposure is 0 to 100; what is left is the network, which a server needs.
func TestUnitIsHardened(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=15", unit(t, "docket.service")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
