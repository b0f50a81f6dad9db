package http_test

import (
	"context"
	"path/filepath"
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

// A route is described in the file that is named as the Go file which serves it.
func TestEachFileOfTheDescriptionIsNamedAsTheRoutesItDescribes(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"openapi", "openapi/examples"} {
		files, err := filepath.Glob(folder + "/*.yaml")
		require.NoError(t, err)
		require.Greater(t, len(files), 20)
		for _, file := range files {
			if name := strings.TrimSuffix(filepath.Base(file), ".yaml"); name != "base" && name != "outgoing" {
				require.FileExists(t, name+".go", file)
			}
		}
	}
}

// Every operation shows by example what it is sent and what it answers, and each example is
// as its schema says.
func TestOperationsHaveExamples(t *testing.T) {
	t.Parallel()
	document := apiDocument(t)
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

// The document names the columns of each list, the default first.
func TestOrderByIsDescribedWithTheColumnsOfTheList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for path, item := range apiDocument(t).Paths.Map() {
		if item.Get == nil {
			continue
		}
		p := item.Get.Parameters.GetByInAndName("query", "orderBy")
		if p == nil || path == "/moderation/events" { // which has one without a filter and another with one
			continue
		}
		if !strings.HasPrefix(path, "/api/") {
			path = core + path
		}
		var columns []string
		for _, column := range p.Schema.Value.Enum {
			columns = append(columns, column.(string))
		}
		status, body, _ := f.send(t, "GET", f.path("GET "+path)+"?orderBy=nonsense", "", nil)
		require.Equal(t, 400, status, path)
		message, _ := body["issues"].([]any)[0].(map[string]any)["message"].(string)
		require.Equal(t, "Must be one of "+strings.Join(columns, ", ")+".", message, path)
	}
}

func apiDocument(t *testing.T) *openapi3.T {
	t.Helper()
	raw, err := http.OpenAPI()
	require.NoError(t, err)
	document, err := openapi3.NewLoader().LoadFromData(raw)
	require.NoError(t, err)
	return document
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
