package http_test

import (
	"bytes"
	"compress/gzip"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

func TestTheElementIsSmall(t *testing.T) {
	t.Parallel()
	answer := httptest.NewRecorder()
	http.New(http.Config{}, http.Embed{}).ServeHTTP(answer, httptest.NewRequest(nethttp.MethodGet, http.Base+"/embed/report.js", nil))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(answer.Body.Bytes())
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.Less(t, packed.Len(), 8<<10)
}
