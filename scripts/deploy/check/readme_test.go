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

// commands is the shell block of README.md that follows the words.
func commands(t *testing.T, words string) string {
	t.Helper()
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), words)
	require.True(t, found, words)
	block := regexp.MustCompile("(?ms)^```sh\n(.*?)^```").FindStringSubmatch(rest)
	require.NotNil(t, block)
	return block[1]
}

// README.md's commands for containers and for Kubernetes run as they are printed, but for
// docker and kubectl, which have no daemon and no cluster here: they check that the files
// that they are given are there. (`debian` runs those of the package.)
func TestReadmeCommands(t *testing.T) {
	for words, said := range map[string]string{
		"**In containers**": "docker compose -f scripts/deploy/compose.yaml --env-file docket.env up -d",
		"**On Kubernetes**": "kubectl apply -k .",
	} {
		folder := t.TempDir()
		require.NoError(t, os.CopyFS(filepath.Join(folder, "scripts", "deploy"), os.DirFS("..")))
		shell := exec.Command("bash", "-euo", "pipefail", "-c", `
			docker() { test -s "$3" && test -s "$5" && echo "docker $*"; }
			kubectl() { test -s secret.env && test -s "$3/kustomization.yaml" && echo "kubectl $*"; }
			`+commands(t, words))
		shell.Dir = folder
		out, err := shell.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, said+"\n", string(out))
	}
}
