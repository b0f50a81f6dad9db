// Package modcp serves the moderator control panel: a single-page application
// built by Vite whose output is committed in dist, so that `go build` alone
// gives the whole product. It is not for import.
package modcp

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed all:dist
var embedded embed.FS

// Handler serves the panel's files and answers every other path with its
// document, because the panel routes in the browser. It must be mounted beside
// /api and never above it. Its answers depend on the build alone.
func Handler() http.Handler {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		return http.NotFoundHandler()
	}
	return newSite(dist)
}
