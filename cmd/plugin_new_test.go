package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// newPlugin runs docket plugin new in a folder of the test's own and returns the plugin's, and
// what was said.
func newPlugin(t *testing.T, args ...string) (dir, said string) {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	made := exec.Command(path, append([]string{"plugin", "new"}, args...)...)
	made.Dir = t.TempDir()
	out, err := made.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(made.Dir, args[0]), string(out)
}

func TestANewManifestHasNoFault(t *testing.T) {
	t.Parallel()
	dir, said := newPlugin(t, "blog")
	require.Contains(t, said, "DOCKET_WEBHOOK_ALLOW_PRIVATE=true", "its address is on this machine")
	file := filepath.Join(dir, "blog.yaml")
	checked := docket(t, nil, "plugin", "check", file)
	require.Zero(t, checked.status, checked.stdout+checked.stderr)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "id: blog\n")
	require.Contains(t, string(text), "BLOG_SECRET")
	require.NotContains(t, string(text), "shop")
}

func TestANewPluginInGoIsSound(t *testing.T) {
	t.Parallel()
	dir, said := newPlugin(t, "reviews", "--go") // which the example has a type of
	// A docket that was built in a clone is of no release that the module proxy has.
	require.Contains(t, said, "go mod edit -replace github.com/docketmod/docket=PATH")
	require.NoError(t, goOutside(dir, "list", "-export", "-test", ".")) // compiles it and its test
	for _, name := range []string{"main.go", "main_test.go", "migrations/20260101000000_reviews.sql"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotRegexp(t, `\bshop(_|\b)`, string(text), name)
	}
}

func TestNamesThatNoNewPluginCanHave(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Blog", "my-blog", "../blog", "1blog"} {
		got := docket(t, nil, "plugin", "new", name)
		require.Equal(t, exitFailure, got.status, name)
		require.Contains(t, got.stderr, "cannot be the name", name)
	}
}
