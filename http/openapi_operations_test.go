package http_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

// Generators of clients name a method for each operation.
func TestEveryOperationHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for path, item := range apiDocument(t).Paths.Map() {
		for method, operation := range item.Operations() {
			id, where := operation.OperationID, method+" "+path
			require.Regexp(t, "^[a-z][A-Za-z]+$", id, where)
			require.Empty(t, seen[id], "%s has the operationId of %s", where, seen[id])
			seen[id] = where
		}
	}
	require.Greater(t, len(seen), 90)
}

// A route is served by the Go file, and described in the file, whose name has most of the first words of its path.
func TestARouteIsInTheFilesThatItsPathNames(t *testing.T) {
	t.Parallel()
	route := regexp.MustCompile(`(?m)^  (/\S*):$|http\.Method\w+, "(/[^"]*)", `)
	for _, pattern := range []string{"*.go", "openapi/*.yaml", "openapi/examples/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = slices.DeleteFunc(files, func(f string) bool {
			return strings.HasSuffix(f, "_test.go") || slices.Contains([]string{"base.yaml", "outgoing.yaml"}, filepath.Base(f))
		})
		require.Greater(t, len(files), 40)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, found := range route.FindAllStringSubmatch(string(text), -1) {
				path := found[1] + found[2]
				words := wordsOf(path)
				best := slices.MaxFunc(files, func(a, b string) int { return wordsInName(a, words) - wordsInName(b, words) })
				require.Equal(t, wordsInName(best, words), wordsInName(file, words), "%s is in %s, not in %s", path, file, best)
			}
			require.FileExists(t, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))+".go")
		}
	}
}

// wordsOf are the words of a path without moderation, advanced and api, and without parameters.
func wordsOf(path string) []string {
	words := regexp.MustCompile(`[a-z]+`).FindAllString(regexp.MustCompile(`\{.*?\}`).ReplaceAllString(path, ""), -1)
	return slices.DeleteFunc(words, func(word string) bool { return slices.Contains([]string{"moderation", "advanced", "api"}, word) })
}

// wordsInName counts the words of a path that the name of a file has, if it begins with the first of them.
func wordsInName(file string, words []string) int {
	parts := strings.Split(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), "_")
	n := 0
	for i, word := range words {
		same := func(part string) bool { return strings.TrimSuffix(part, "s") == strings.TrimSuffix(word, "s") }
		if i == 0 && !same(parts[0]) {
			return 0
		}
		if slices.ContainsFunc(parts, same) {
			n++
		}
	}
	return n
}

// Every operation shows by example what it is sent and what it answers, and each example is
// as its schema says.
func TestOperationsHaveExamples(t *testing.T) {
	t.Parallel()
	raw, err := http.OpenAPI()
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(raw)
	require.NoError(t, err)
	require.NoError(t, document.Validate(context.Background(), openapi3.EnableExamplesValidation()))
	shows := func(what string, content openapi3.Content) {
		t.Helper()
		if media := content["application/json"]; media != nil {
			require.True(t, media.Example != nil || len(media.Examples) > 0, "%s needs an example", what)
		}
	}
	for path, item := range document.Paths.Map() {
		for method, o := range item.Operations() {
			if o.RequestBody != nil {
				shows("the body of "+method+" "+path, o.RequestBody.Value.Content)
			}
			for status, answer := range o.Responses.Map() {
				if status[0] == '2' {
					shows("the answer "+status+" of "+method+" "+path, answer.Value.Content)
				}
			}
		}
	}
}

var pagingParameters = []string{"cursor", "first", "last", "order", "orderBy"}

// What the document leaves out, a client that is made from it cannot ask for.
func TestEveryPageIsDescribedWithWhatPagesIt(t *testing.T) {
	t.Parallel()
	document := apiDocument(t)
	lists := 0
	for path, item := range document.Paths.Map() {
		if item.Get == nil || !answersAPage(item.Get) {
			continue
		}
		lists++
		names, _ := queryParameters(item, item.Get)
		require.Subset(t, names, pagingParameters, path)
	}
	require.Greater(t, lists, 10)
}

func TestCountsAreDescribedWithTheFiltersOfTheBoard(t *testing.T) {
	t.Parallel()
	document := apiDocument(t)
	of := func(path string) []string {
		item := document.Paths.Value(path)
		names, _ := queryParameters(item, item.Get)
		return names
	}
	counts := of("/moderation/reports/counts")
	for _, name := range of("/moderation/reports") {
		if !slices.Contains(slices.Concat(pagingParameters, []string{"status", "assigned", "page", "pageSize"}), name) {
			require.Contains(t, counts, name)
		}
	}
}

func apiDocument(t *testing.T) *openapi3.T {
	t.Helper()
	d, err := theDocument()
	require.NoError(t, err)
	return d.document
}

func answersAPage(o *openapi3.Operation) bool {
	answer := o.Responses.Value("200")
	if answer == nil {
		return false
	}
	media := answer.Value.Content.Get("application/json")
	return media != nil && media.Schema != nil && media.Schema.Value.Properties["pageInfo"] != nil
}

// queryParameters returns the parameters of an operation, and whether it takes any other too.
func queryParameters(item *openapi3.PathItem, o *openapi3.Operation) (names []string, open bool) {
	for _, p := range append(slices.Clone(item.Parameters), o.Parameters...) {
		switch {
		case p.Value.In != openapi3.ParameterInQuery:
		case p.Value.Schema.Value.Type.Is("object"):
			open = true
		default:
			names = append(names, p.Value.Name)
		}
	}
	return names, open
}
