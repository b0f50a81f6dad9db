package cmd

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The settings in docs/configure.md are those of Config, with its comments.
func TestConfigurePageListsTheSettings(t *testing.T) {
	t.Parallel()
	requireOnPage(t, "docs/configure.md", "settings", settingsPage(t))
}

// settingsPage makes a table of each group of fields of Config. A comment that belongs to no
// field is the heading of a group.
func settingsPage(t *testing.T) string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "environment.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var config *ast.StructType
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "Config" {
			config, _ = spec.Type.(*ast.StructType)
		}
		return config == nil
	})
	require.NotNil(t, config)
	described := map[*ast.CommentGroup]bool{}
	for _, field := range config.Fields.List {
		described[field.Doc] = true
	}
	var page strings.Builder
	comments := file.Comments
	for _, field := range config.Fields.List {
		for ; comments[0].Pos() < field.Pos(); comments = comments[1:] {
			if heading := comments[0]; heading.Pos() > config.Pos() && !described[heading] {
				fmt.Fprintf(&page, "\n## %s\n\n| variable | default | |\n|---|---|---|\n", strings.TrimSuffix(strings.TrimSpace(heading.Text()), "."))
			}
		}
		raw, err := strconv.Unquote(field.Tag.Value)
		require.NoError(t, err)
		tag := reflect.StructTag(raw)
		unset := tag.Get("unset")
		if value := tag.Get("envDefault"); value != "" {
			unset = "`" + value + "`"
		}
		require.NotEmpty(t, unset, field.Names)
		require.NotNil(t, field.Doc, field.Names)
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", tag.Get("env"), unset, strings.Join(strings.Fields(field.Doc.Text()), " "))
	}
	return page.String() + "\n"
}
