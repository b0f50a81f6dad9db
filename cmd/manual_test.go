package cmd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShellsAskWhatMayFollow(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"docket au", []string{"audit"}},
		{"docket audit ", []string{"adopt", "checkpoint", "export", "key", "prove", "verify"}},
		{"docket backup --", []string{"--help"}},
	} {
		t.Setenv("COMP_LINE", c.line) // Setenv excludes t.Parallel
		got := docket(t, nil)
		require.Equal(t, 0, got.status, got.stderr)
		require.Subset(t, strings.Fields(got.stdout), c.want, c.line)
		require.NotContains(t, got.stdout, "manual", "it is hidden")
	}
}

func TestTheManualPageHoldsTheCommands(t *testing.T) {
	t.Parallel()
	page := docket(t, nil, "manual").stdout
	require.True(t, strings.HasPrefix(page, ".TH DOCKET 1"), page)
	require.Contains(t, page, "audit verify")
}
