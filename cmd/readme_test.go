package cmd

import (
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// codeBlocks are the fenced blocks of a language in a Markdown text.
func codeBlocks(markdown, language string) (blocks []string) {
	for _, found := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(markdown, -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

// TestReadmeCode holds the Go code that README.md prints to the tests that run it.
func TestReadmeCode(t *testing.T) {
	t.Parallel()
	words := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return strings.Join(strings.Fields(string(text)), " ")
	}
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	blocks := codeBlocks(string(readme), "go")
	require.Len(t, blocks, 1)
	tested := strings.ReplaceAll(words("../subscribers/example_test.go"), "nethttp.", "http.")
	require.Contains(t, tested, strings.Join(strings.Fields(blocks[0]), " "))
}

// TestReadmeSession runs the session that README.md prints, as it is printed.
func TestReadmeSession(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "The same from a shell:\n\n```sh\n")
	require.True(t, found)
	session, _, found := strings.Cut(rest, "```")
	require.True(t, found)

	p := startProcess(t, map[string]string{"DATABASE_URL": pgtest.URL(t)}, "demo")
	shell := exec.Command("bash", "-euo", "pipefail", "-c", strings.Replace(session, "http://127.0.0.1:8080", p.url, 1))
	shell.Dir = t.TempDir()
	out, err := shell.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NotContains(t, string(out), `"error"`)
	for _, want := range []string{`"status":"new"`, `"status":"in_progress"`, `"body":"Looks harmless to me."`, `"status":"done"`, `"sequence":1,`} {
		require.Contains(t, string(out), want)
	}
}

func TestReadmeNamesEverySetting(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	for field := range reflect.TypeFor[Config]().Fields() {
		require.Contains(t, string(readme), "`"+field.Tag.Get("env")+"`")
	}
}
