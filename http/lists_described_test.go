package http_test

import (
	"slices"
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
		require.Subset(t, queryParameters(item), pagingParameters, path)
	}
	require.Greater(t, lists, 10)
}

func TestCountsAreDescribedWithTheFiltersOfTheBoard(t *testing.T) {
	t.Parallel()
	document := apiDocument(t)
	counts := queryParameters(document.Paths.Value("/moderation/reports/counts"))
	for _, name := range queryParameters(document.Paths.Value("/moderation/reports")) {
		if !slices.Contains(slices.Concat(pagingParameters, []string{"status", "assigned", "page", "pageSize"}), name) {
			require.Contains(t, counts, name)
		}
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

func queryParameters(item *openapi3.PathItem) []string {
	var names []string
	for _, p := range append(slices.Clone(item.Parameters), item.Get.Parameters...) {
		if p.Value.In == openapi3.ParameterInQuery {
			names = append(names, p.Value.Name)
		}
	}
	return names
}
