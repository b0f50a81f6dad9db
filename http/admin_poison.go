package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/subscribers"
)

// PoisonQueue lists and replays events that a listener could not handle.
type PoisonQueue interface {
	ListPoisoned(ctx context.Context, group string, r paging.Request) (paging.Page[subscribers.Poisoned], error)
	Replay(ctx context.Context, id string) error
}

// Poison is the admin area of dead letters: events that a listener could not handle.
type Poison struct {
	Events PoisonQueue
}

var managePoison = admin(permission.AreaPoison)

func (a *Poison) routes() []route {
	return []route{
		{http.MethodGet, "/admin/advanced/poison", managePoison, a.list},
		{http.MethodPost, "/admin/advanced/poison/{id}/replay", managePoison, byID(a.replay)},
	}
}

func (a *Poison) list(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	issues := repeated(q, "group")
	issues = append(issues, domain.Unstorable("group", q.Get("group"))...)
	request, err := subscribers.PoisonList.Parse(q, issues...)
	if err != nil {
		return err
	}
	page, err := a.Events.ListPoisoned(r.Context(), q.Get("group"), request)
	return okJSON(w, page, err)
}

func (a *Poison) replay(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Events.Replay(r.Context(), id))
}
