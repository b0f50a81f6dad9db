package http_test

import (
	"bytes"
	"compress/gzip"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/http"
)

func TestOtherSites(t *testing.T) {
	t.Parallel()
	const shop = "https://shop.example"
	b := newBundleWith(t, map[string]string{"DOCKET_CORS_ORIGINS": shop})
	cookie := b.member(0).header.Get("Cookie")
	call := func(method, path string, header map[string]string) *nethttp.Response {
		r, err := nethttp.NewRequestWithContext(t.Context(), method, b.server.URL+http.Base+path, nil)
		require.NoError(t, err)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		answer, err := b.server.Client().Do(r)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer
	}
	allowed := func(a *nethttp.Response) string { return a.Header.Get("Access-Control-Allow-Origin") }

	preflight := call("OPTIONS", "/moderation/reports", map[string]string{"Origin": shop, "Access-Control-Request-Method": "POST"})
	require.Equal(t, 204, preflight.StatusCode)
	require.Equal(t, shop, allowed(preflight))
	require.Equal(t, "Authorization, Content-Type", preflight.Header.Get("Access-Control-Allow-Headers"))
	require.Empty(t, preflight.Header.Get("Access-Control-Allow-Credentials"))
	for _, c := range []struct{ origin, method, path string }{
		{"https://other.example", "POST", "/moderation/reports"}, {shop, "GET", "/moderation/reports"}, {shop, "DELETE", "/admin/users/1"},
		{shop, "POST", "/users/sign-in"}, {"null", "POST", "/moderation/reports"}, {shop, "GET", "/users/session"},
	} {
		a := call("OPTIONS", c.path, map[string]string{"Origin": c.origin, "Access-Control-Request-Method": c.method})
		require.Empty(t, allowed(a), c)
		require.NotEqual(t, 204, a.StatusCode, c)
	}

	messages := call("GET", "/messages", map[string]string{"Origin": shop})
	require.Equal(t, 200, messages.StatusCode)
	require.Equal(t, shop, allowed(messages))
	require.Contains(t, messages.Header.Values("Vary"), "Origin")
	require.Equal(t, 401, call("GET", "/moderation/target-types", map[string]string{"Origin": shop, "Cookie": cookie}).StatusCode, "a cookie is ignored")
	require.Equal(t, 200, call("GET", "/moderation/target-types", map[string]string{"Cookie": cookie}).StatusCode, "a member gets what they may report")

	element := call("GET", "/embed/report.js", map[string]string{"Origin": "https://anybody.example"})
	require.Equal(t, 200, element.StatusCode)
	require.Equal(t, "*", allowed(element))
	require.Equal(t, "text/javascript; charset=utf-8", element.Header.Get("Content-Type"))
}

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
