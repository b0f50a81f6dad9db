package http

import (
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/projections"
)

// Authors has the routes of the records of authors.
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
	q := readQuery(r)
	pluginID, at := q.storable("pluginId"), q.time("at")
	if err := q.Err(); err != nil {
		return err
	}
	if at == nil {
		at = new(time.Now())
	}
	record, err := a.Queries.AuthorRecord(r.Context(), coverage(r), author, pluginID, *at)
	return okJSON(w, record, err)
}
