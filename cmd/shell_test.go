package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBashCompletes(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "docket.bash")
	require.NoError(t, os.WriteFile(script, []byte(docket(t, nil, "shell", "bash").stdout), 0o600))
	for line, want := range map[string]string{
		"docket aud":            "audit\n",
		"docket audit ver":      "verify\n",
		"docket migrate ":       "--help\ndown\nstatus\nup\n",
		"docket serve --mig":    "--migrate\n",
		"docket shel":           "",
		"docket user create --": "--admin-root\n--email\n--help\n--name\n--password\n--password-stdin\n",
	} {
		ask := exec.Command("bash", "-c", `. "$1"; cd /; read -ra COMP_WORDS <<<"$2"; [[ $2 == *" " ]] && COMP_WORDS+=("")
			COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _docket; for w in "${COMPREPLY[@]}"; do echo "$w"; done | LC_ALL=C sort`, "bash", script, line)
		out, err := ask.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, want, string(out), line)
	}
}

func TestManualPageNamesEveryCommand(t *testing.T) {
	t.Parallel()
	page := docket(t, nil, "shell", "man").stdout
	for _, want := range []string{".TH DOCKET 1", "audit", "verify", "password-stdin"} {
		require.Contains(t, page, want)
	}
	fish := docket(t, nil, "shell", "fish").stdout
	require.Contains(t, fish, "complete -c docket -f -n '__fish_use_subcommand' -a serve -d 'Serve the API and the control panel.'")
	require.Contains(t, docket(t, nil, "shell", "zsh").stdout, "#compdef docket\n")
}
