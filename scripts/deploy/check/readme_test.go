package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// commands is the shell block of docs/operate.md that follows the words.
func commands(t *testing.T, words string) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/operate.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), words)
	require.True(t, found, words)
	block := regexp.MustCompile("(?ms)^```sh\n(.*?)^```").FindStringSubmatch(rest)
	require.NotNil(t, block)
	return block[1]
}

// The commands of docs/operate.md for containers and for Kubernetes run as they are printed, but for
// docker and kubectl, which have no daemon and no cluster here: they check that the files
// that they are given are there, note what they were told to do, and log what a server of
// an empty database logs. (The scripts debian and image run the servers themselves.)
func TestReadmeCommands(t *testing.T) {
	const compose = "docker compose -f scripts/deploy/compose.yaml --env-file docket.env "
	for words, told := range map[string][]string{
		"**In containers**": {compose + "up -d", compose + "logs docket"},
		"**On Kubernetes**": {"kubectl apply -k .", "kubectl -n docket rollout status deployment/docket", "kubectl -n docket logs deployment/docket"},
	} {
		folder := t.TempDir()
		require.NoError(t, os.CopyFS(filepath.Join(folder, "scripts", "deploy"), os.DirFS("..")))
		shell := exec.Command("bash", "-euo", "pipefail", "-c", `
			told() { echo "$*" >&2; case "$*" in *logs*) printf '%s\n' "docket ready https://moderation.example" "docket setup https://moderation.example/setup?token=t";; esac; }
			docker() { test -s "$3" && test -s "$5" && told docker "$@"; }
			kubectl() { test -s secret.env && test -s kustomization.yaml && told kubectl "$@"; }
			`+commands(t, words))
		shell.Dir = folder
		var said strings.Builder
		shell.Stderr = &said
		out, err := shell.Output()
		require.NoError(t, err, "%s", &said)
		require.Equal(t, told, strings.Split(strings.TrimSpace(said.String()), "\n"))
		require.Equal(t, "docket setup https://moderation.example/setup?token=t\n", string(out))
	}
}
