package cmd

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of CONTRIBUTING that says where things go names files and folders that exist.
func TestContributingNamesWhatExists(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| You look for | It is in |")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	named := regexp.MustCompile("`([a-z]+/[a-zA-Z_/.]+)`").FindAllStringSubmatch(table, -1)
	require.Greater(t, len(named), 15)
	for _, path := range named {
		_, err := os.Stat("../" + path[1])
		require.NoError(t, err)
	}
}
