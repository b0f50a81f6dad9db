package cmd

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// Every package says whether others may import it: those that scripts/tools/api-changes compares
// with the last release may be, and all others say that other modules must not import them.
func TestPackagesSayWhetherOtherModulesMayImportThem(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../scripts/tools/api-changes")
	require.NoError(t, err)
	public := strings.Fields(regexp.MustCompile(`(?m)^packages="(.*)"$`).FindStringSubmatch(string(script))[1])
	require.Len(t, public, 7)
	comments := map[string]string{} // by folder
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && slices.Contains([]string{"node_modules", "testdata", ".git"}, entry.Name()) {
			return fs.SkipDir
		}
		if _, module := os.Stat(filepath.Join(path, "go.mod")); module == nil && path != ".." {
			return fs.SkipDir // another module, such as the client of the API
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && file.Name.Name != "main" {
			comments[filepath.ToSlash(filepath.Dir(path))] += strings.Join(strings.Fields(file.Doc.Text()), " ")
		}
		return err
	}))
	require.Greater(t, len(comments), 60)
	for folder, comment := range comments {
		isPublic := slices.Contains(public, strings.TrimPrefix(folder, "../"))
		require.NotEqual(t, isPublic, strings.Contains(comment, "Other modules must not import it."), folder)
	}
}
