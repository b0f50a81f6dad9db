package http_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

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
		if p == nil {
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
