package http

import (
	"net/http"

	"github.com/docketmod/docket/platform/digest"
)

// Digests has the routes of the caller's digest mails about open work.
type Digests struct {
	Store *digest.Store
}

func (a *Digests) routes() []route {
	return []route{
		{http.MethodGet, "/users/digest", moderator, a.get},
		{http.MethodPut, "/users/digest", moderator, a.put},
		{http.MethodPost, "/users/digest/stop", open, a.stop},
	}
}

func (a *Digests) get(w http.ResponseWriter, r *http.Request) error {
	settings, err := a.Store.Get(r.Context(), callerOf(r).UserID)
	return okJSON(w, settings, err)
}

func (a *Digests) put(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	to := digest.Settings{Every: chosen(b, "every", digest.Frequencies), Urgent: b.boolean("urgent")}
	if err := b.Err(); err != nil {
		return err
	}
	return okJSON(w, to, a.Store.Set(r.Context(), callerOf(r).UserID, to, languageOf(r)))
}

// stop ends the digests of the account whose link the request has. A GET of the link does not stop
// them.
func (a *Digests) stop(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	token := b.text("token")
	if err := b.Err(); err != nil {
		return err
	}
	return noContent(w, a.Store.Stop(r.Context(), token))
}
