package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/subscribers"
)

// Poison has the admin routes of dead letters: events that a listener could not handle.
type Poison struct {
	Events *subscribers.Router
}

var managePoison = admin(permission.AreaPoison)

func (a *Poison) routes() []route {
	return []route{
		{http.MethodGet, "/admin/advanced/poison", managePoison, a.list},
		{http.MethodPost, "/admin/advanced/poison/{id}/replay", managePoison, byID(a.replay)},
	}
}

func (a *Poison) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	group := q.storable("group")
	request, err := q.page(subscribers.PoisonList)
	if err != nil {
		return err
	}
	page, err := a.Events.ListPoisoned(r.Context(), group, request)
	return okJSON(w, page, err)
}

func (a *Poison) replay(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Events.Replay(r.Context(), id))
}
