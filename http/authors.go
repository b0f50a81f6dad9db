package http

import (
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/projections"
)

// Authors is the area of the records of authors.
type Authors struct {
	Queries *projections.Reports
}

func (a *Authors) routes() []route {
	return []route{{http.MethodGet, "/moderation/authors/{author}", moderator, a.record}}
}

// maxAuthor bounds the id of an author, in bytes.
const maxAuthor = 800

func (a *Authors) record(w http.ResponseWriter, r *http.Request) error {
	author, err := url.PathUnescape(mux.Vars(r)["author"])
	if err != nil || author == "" || len(author) > maxAuthor || !domain.Storable(author) {
		return notFound()
	}
	pluginID := r.URL.Query().Get("pluginId")
	issues := repeated(r.URL.Query(), "pluginId", "at")
	at := time.Now()
	if text := r.URL.Query().Get("at"); text != "" {
		var ok bool
		if at, ok = parseTime(text); !ok {
			issues = append(issues, domain.Issue{Path: "at", Code: "invalid", Message: "Must be a time as RFC 3339 writes it."})
		}
	}
	issues = append(issues, domain.Unstorable("pluginId", pluginID)...)
	if err := domain.Invalid(issues...); err != nil {
		return err
	}
	record, err := a.Queries.AuthorRecord(r.Context(), coverage(r), author, pluginID, at)
	return okJSON(w, record, err)
}
