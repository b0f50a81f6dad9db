package apidocs_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http/apidocs"
)

func TestThePageAndItsFiles(t *testing.T) {
	t.Parallel()
	get := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		apidocs.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer
	}

	page := get(apidocs.Path)

	require.Equal(t, http.StatusOK, page.Code)
	require.Contains(t, page.Header().Get("Content-Security-Policy"), "script-src 'self'")
	require.Contains(t, page.Body.String(), `spec-url="/api/@platform/core/openapi.json"`)
	files := regexp.MustCompile(`"(/api-docs/assets/[^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1)
	require.Len(t, files, 2, "a script and a style")
	for _, file := range files {
		require.Equal(t, http.StatusOK, get(file[1]).Code, file[1])
	}
	require.Equal(t, http.StatusNotFound, get("/api-docs/assets/gone.js").Code)
	require.NotRegexp(t, `(src|href)="https?:`, page.Body.String(), "nothing comes from elsewhere")
}
