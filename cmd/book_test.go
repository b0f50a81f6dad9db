package cmd

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// page is a page of this repository.
func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../" + path)
	require.NoError(t, err)
	return string(text)
}

var updatePages = flag.Bool("update-pages", false, "rewrite what pages of docs list of the code")

// requireOnPage requires that a page holds what was made of the code, between the comments
// <!-- name --> and <!-- end of name -->.
func requireOnPage(t *testing.T, path, name, want string) {
	t.Helper()
	before, rest, found := strings.Cut(page(t, path), "<!-- "+name+" -->\n")
	require.True(t, found, name)
	stands, after, found := strings.Cut(rest, "<!-- end of "+name+" -->")
	require.True(t, found, name)
	if *updatePages {
		text := before + "<!-- " + name + " -->\n" + want + "<!-- end of " + name + " -->" + after
		require.NoError(t, os.WriteFile("../"+path, []byte(text), 0o600))
		return
	}
	require.Equal(t, want, stands, "go test ./cmd -run Page -update-pages rewrites it")
}

// codeBlocks are the fenced blocks of a language on a page.
func codeBlocks(t *testing.T, path, language string) (blocks []string) {
	t.Helper()
	for _, found := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(page(t, path), -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

// The Go code that the book prints is that of the tests that run it.
func TestBookCode(t *testing.T) {
	t.Parallel()
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	blocks := codeBlocks(t, "docs/events.md", "go")
	require.Len(t, blocks, 1)
	require.Contains(t, strings.ReplaceAll(words(page(t, "subscribers/example_test.go")), "nethttp.", "http."), words(blocks[0]))
}

// TestBookCallsTheAPI runs the session that README.md prints, what docs/api.md prints, and the
// request that docs/operate.md gives to schedulers, as they are printed.
func TestBookCallsTheAPI(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(page(t, "README.md"), "The same from a shell:\n\n```sh\n")
	require.True(t, found)
	session, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	calls := codeBlocks(t, "docs/api.md", "sh")
	require.Len(t, calls, 1)

	const secret = "a secret of twenty characters"
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "CRON_SECRET": secret}
	p := startProcess(t, environment, "demo")
	run := func(commands string) string {
		t.Helper()
		shell := deployed(t, strings.NewReplacer("http://127.0.0.1:8080", p.url, "https://moderation.example", p.url).Replace(commands), environment["DATABASE_URL"])
		shell.Env = append(shell.Env, "DATABASE_URL="+environment["DATABASE_URL"], "CRON_SECRET="+secret)
		out, err := shell.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	said := run(session)
	require.NotContains(t, said, `"error"`)
	for _, want := range []string{`"status":"new"`, `"status":"in_progress"`, `"body":"Looks harmless to me."`, `"status":"done"`, `"sequence":1,`} {
		require.Contains(t, said, want)
	}
	require.Contains(t, run(calls[0]), `"edges":`)
	jobs := operateBlock(t, "let a scheduler make this request")
	require.Contains(t, run(strings.Replace(jobs, "curl ", "curl -sS -w '\n%{http_code}' ", 1)), "\n200")
}

// Every link of a page to a file of this repository leads somewhere.
func TestLinksOfThePages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	walks, err := filepath.Glob("../docs/architecture/*.md")
	require.NoError(t, err)
	code := regexp.MustCompile("(?ms)^```.*?^```")
	links := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	deploy, err := filepath.Glob("../scripts/deploy/*.md")
	require.NoError(t, err)
	for _, path := range append(slices.Concat(pages, walks, deploy), "../README.md", "../CONTRIBUTING.md", "../SECURITY.md") {
		for _, link := range links.FindAllStringSubmatch(code.ReplaceAllString(page(t, path[3:]), ""), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(path), link[1]))
			require.NoError(t, err, path)
			// The package holds these pages in one folder, and nothing of what is beside it here.
			require.False(t, slices.Contains(deploy, path) && strings.Contains(link[1], ".."), "%s leads to %s, which the package does not hold", path, link[1])
		}
	}
}
