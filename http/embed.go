package http

import (
	_ "embed" // for the element
	"net/http"
)

// reportElement is an ES module without dependencies: the element <docket-report>.
//
//go:embed embed/report.js
var reportElement []byte

// Embed has what other sites load into their pages.
type Embed struct{}

func (Embed) routes() []route {
	return []route{{http.MethodGet, "/embed/report.js", exempt, serveReportElement}}
}

// serveReportElement allows any origin, since the module is the same for everybody.
func serveReportElement(w http.ResponseWriter, _ *http.Request) error {
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(reportElement)
	return nil
}
