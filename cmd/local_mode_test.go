package cmd

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/platformtest"
)

// Given no database but the private cluster in DOCKET_DATA_DIR, and a server with everything that
// Docket can speak to, then commands share the cluster with it, doctor finds nothing, and a closed
// terminal takes the cluster along.
func TestLocalMode(t *testing.T) {
	t.Parallel()
	// Under nohup the server would inherit that the signal is ignored.
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	dir := reachableDir(t)
	provider := documents(t, map[string]string{"/keys": `{"keys": [{"kty": "EC"}]}`})
	environment := map[string]string{"DOCKET_DATA_DIR": dir, "DATABASE_URL": "", "DOCKET_AUDIT_DIR": t.TempDir(), "CRON_SECRET": strings.Repeat("s", 20),
		"SMTP_URL": platformtest.NewMailServer(t).URL, "AUTH_JWKS_URL": provider + "/keys", "AUTH_ISSUER": "https://host.example", "AUTH_AUDIENCE": "docket"}
	run := func(args ...string) string {
		t.Helper()
		got := docket(t, environment, args...)
		require.Zero(t, got.status, "%v: %s%s", args, got.stdout, got.stderr)
		return got.stdout
	}
	p := startProcess(t, environment, "serve", "--migrate")
	postmaster := filepath.Join(dir, "postgres", "postmaster.pid")
	require.FileExists(t, postmaster)

	run("backup", filepath.Join(t.TempDir(), "backup.zip"))
	run("audit", "verify")
	require.NotRegexp(t, `(?m)^(fault|warning)`, run("doctor"))

	// The command that docs/operate.md prints looks into it.
	command := regexp.MustCompile("`(psql -h .*?)`").FindStringSubmatch(page(t, "docs/operate.md"))
	require.NotNil(t, command)
	shell := exec.Command("sh", "-c", strings.Replace(command[1], "~/.local/state/docket", dir, 1)+" -Atc 'SELECT count(*) FROM core_users'")
	out, err := shell.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "0\n", string(out))

	p.end(syscall.SIGHUP)

	require.NoFileExists(t, postmaster)
	require.Equal(t, "nothing to apply\n", run("migrate", "up"), "the data is kept")
}
