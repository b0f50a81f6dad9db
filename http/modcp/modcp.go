// Package modcp serves the moderator control panel: a single-page application built by Vite whose output is committed
// in dist, so that `go build` alone gives the whole product. Other modules must not import it.
package modcp

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed all:dist
var embedded embed.FS

// Handler serves the panel's files and responds to every other path with its document, because the panel routes in the
// browser. It must be mounted beside /api and never above it. Its responses depend on the build alone.
func Handler() http.Handler {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		return http.NotFoundHandler()
	}
	return Site(dist)
}

// ContentSecurityPolicy allows only the panel's own files, and the script in its document. Inline styles are allowed
// because Mantine writes its theme as a style element. Images of reported content may come from anywhere over https,
// and are loaded only if a moderator requests them. The API sends the same policy.
const ContentSecurityPolicy = "default-src 'self'; script-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
