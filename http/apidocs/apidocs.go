// Package apidocs serves the page that shows the API's OpenAPI document, at /api/docs: a renderer built by Vite whose
// output is committed in dist. Its files are below /api-docs/, where no plugin has routes. Other modules must not
// import it.
package apidocs

import (
	"embed"
	"io/fs"
	"net/http"

	"github.com/docketmod/docket/http/modcp"
)

// The paths of the page and its files.
const (
	Path   = "/api/docs"
	Assets = "/api-docs/"
)

//go:embed all:dist
var embedded embed.FS

// Handler serves the page at Path and its files below Assets.
func Handler() http.Handler {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		return http.NotFoundHandler()
	}
	site := modcp.Site(dist)
	files := http.StripPrefix("/api-docs", site)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == Path {
			site.ServeHTTP(w, r) // no file has this name, so it serves the document
			return
		}
		files.ServeHTTP(w, r)
	})
}
