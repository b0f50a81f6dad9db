package modcp

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestSite(t *testing.T) {
	t.Parallel()
	script := strings.Repeat("let x = 1;", 400)
	handler := Site(fstest.MapFS{
		"index.html":    {Data: []byte("<!doctype html>")},
		"boot.js":       {Data: []byte("1")},
		"assets/app.js": {Data: []byte(script)},

		"assets/more.js":    {Data: []byte(script)},
		"assets/more.js.br": {Data: []byte("by brotli")},
	})
	cases := []struct {
		name, method, path, encoding string
		status                       int
		contentType, cache           string
		policy                       bool
		body                         string
	}{
		{"the document at the root", "GET", "/", "", 200, "text/html; charset=utf-8", "no-cache", true, "<!doctype html>"},
		{"a route of the panel is the document", "GET", "/modcp/reports/1", "", 200, "text/html; charset=utf-8", "no-cache", true, "<!doctype html>"},
		{"a climbing path is the document", "GET", "/../../etc/passwd", "", 200, "text/html; charset=utf-8", "no-cache", true, "<!doctype html>"},
		{"an unhashed file is asked for again", "GET", "/boot.js", "", 200, "text/javascript; charset=utf-8", "no-cache", false, "1"},
		{"a hashed file is kept for ever", "GET", "/assets/app.js", "", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", false, script},
		{"a large file is compressed", "GET", "/assets/app.js", "br, gzip", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", false, script},
		{"a file that the build compressed by brotli", "GET", "/assets/more.js", "gzip, br", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", false, "by brotli"},
		{"brotli refused by quality", "GET", "/assets/more.js", "br;q=0, gzip", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", false, script},
		{"what the build compressed is no file of its own", "GET", "/assets/more.js.br", "", 404, "text/plain; charset=utf-8", "", false, "404 page not found\n"},
		{"gzip refused by quality", "GET", "/assets/app.js", "gzip; q=0", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", false, script},
		{"an asset that is gone is no document", "GET", "/assets/old.js", "", 404, "text/plain; charset=utf-8", "", false, "404 page not found\n"},
		{"only reading", "POST", "/", "", 405, "text/plain; charset=utf-8", "", false, "method not allowed\n"},
		{"head has no body", "HEAD", "/", "", 200, "text/html; charset=utf-8", "no-cache", true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			request := httptest.NewRequest(c.method, c.path, nil)
			if c.encoding != "" {
				request.Header.Set("Accept-Encoding", c.encoding)
			}
			recorder := httptest.NewRecorder()
			handler.ServeHTTP(recorder, request)
			answer := recorder.Result()
			require.Equal(t, c.status, answer.StatusCode)
			require.Equal(t, c.contentType, answer.Header.Get("Content-Type"))
			require.Equal(t, c.cache, answer.Header.Get("Cache-Control"))
			require.Equal(t, c.policy, strings.Contains(answer.Header.Get("Content-Security-Policy"), "script-src 'self';"))
			var body io.Reader = answer.Body
			require.Equal(t, map[string]string{"br, gzip": "gzip", "br;q=0, gzip": "gzip", "gzip, br": "br"}[c.encoding], answer.Header.Get("Content-Encoding"))
			if answer.Header.Get("Content-Encoding") == "gzip" {
				unpacked, err := gzip.NewReader(answer.Body)
				require.NoError(t, err)
				body = unpacked
			}
			read, err := io.ReadAll(body)
			require.NoError(t, err)
			require.Equal(t, c.body, string(read))
		})
	}
}

func TestSiteNotModified(t *testing.T) {
	t.Parallel()
	handler := Site(fstest.MapFS{"index.html": {Data: []byte("x")}})
	first := httptest.NewRecorder()
	handler.ServeHTTP(first, httptest.NewRequest(http.MethodGet, "/", nil))
	again := httptest.NewRequest(http.MethodGet, "/", nil)
	again.Header.Set("If-None-Match", first.Header().Get("ETag"))
	second := httptest.NewRecorder()
	handler.ServeHTTP(second, again)
	require.Equal(t, http.StatusNotModified, second.Code)
	require.Empty(t, second.Body.String())
}

func TestThePolicyAllowsTheScriptOfTheDocument(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	// The script and its hash are from an example of CSP's specification.
	page := "<!doctype html><script>alert('Hello, world.');</script>"
	Site(fstest.MapFS{"index.html": {Data: []byte(page)}}).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/modcp", nil))
	require.Contains(t, recorder.Header().Get("Content-Security-Policy"), "; script-src 'self' 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='; ")
}

func TestEmbeddedBuild(t *testing.T) {
	t.Parallel()
	recorder := httptest.NewRecorder()
	Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Equal(t, http.StatusOK, recorder.Code)
	require.Contains(t, recorder.Body.String(), `<div id="root">`)
	require.Equal(t, 1, strings.Count(recorder.Body.String(), "<script>"), "the policy allows one script in the page")

	recorder = httptest.NewRecorder()
	Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/robots.txt", nil))
	require.Contains(t, recorder.Body.String(), "\nDisallow: /\n", "search engines are told to stay away")
	require.Contains(t, recorder.Header().Get("Content-Type"), "text/plain")
}
