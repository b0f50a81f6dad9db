package http

import (
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/platform/views"
)

// Views has the routes of the caller's saved views of the board.
type Views struct{ Store *views.Store }

func (a *Views) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/views", moderator, paged(views.List, a.list)},
		{http.MethodGet, "/moderation/views/{name}", moderator, with(viewName, a.get)},
		{http.MethodPut, "/moderation/views/{name}", moderator, with(viewName, a.put)},
		{http.MethodDelete, "/moderation/views/{name}", moderator, with(viewName, a.delete)},
	}
}

func (a *Views) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Store.All(r.Context(), callerOf(r).UserID, request)
	return okJSON(w, page, err)
}

func (a *Views) get(w http.ResponseWriter, r *http.Request, name string) error {
	v, err := a.Store.Get(r.Context(), callerOf(r).UserID, name)
	return okJSON(w, v, err)
}

func (a *Views) put(w http.ResponseWriter, r *http.Request, name string) error {
	b := readBody(w, r)
	query := b.text("query")
	if err := b.Err(); err != nil {
		return err
	}
	v, err := a.Store.Put(r.Context(), callerOf(r).UserID, name, query)
	return okJSON(w, v, err)
}

func (a *Views) delete(w http.ResponseWriter, r *http.Request, name string) error {
	return noContent(w, a.Store.Delete(r.Context(), callerOf(r).UserID, name))
}

// viewName reads the view's name from the path. An invalid name is 404.
func viewName(r *http.Request) (string, error) {
	name, err := url.PathUnescape(mux.Vars(r)["name"])
	if err != nil || !views.CheckName(name) {
		return "", notFound()
	}
	return name, nil
}
