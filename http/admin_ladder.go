package http

import (
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain/measure"
)

func (a *Policies) ladderRoutes() []route {
	return []route{
		{http.MethodGet, "/admin/ladder", managePolicies, a.ladder},
		{http.MethodPut, "/admin/ladder", managePolicies, a.setLadder},
	}
}

type ladderView struct {
	Steps measure.Ladder `json:"steps"`
}

func (a *Policies) ladder(w http.ResponseWriter, r *http.Request) error {
	l, err := a.Store.Ladder(r.Context())
	if l == nil {
		l = measure.Ladder{}
	}
	return okJSON(w, ladderView{l}, err)
}

func (a *Policies) setLadder(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	l := measure.Ladder{}
	if v := b.required("steps"); v != nil {
		for i, item := range b.array("steps", v) {
			if i > measure.MaxSteps { // Check says so
				l = append(l, measure.Step{})
				break
			}
			b.object(fmt.Sprintf("steps[%d]", i), item, func(o *body) {
				l = append(l, measure.Step{Strikes: o.integer("strikes"), Kind: measure.Kind(o.text("kind")), Days: o.optionalInteger("days")})
			})
		}
	}
	b.add(l.Check())
	if err := b.Err(); err != nil {
		return err
	}
	if err := a.Store.SetLadder(r.Context(), callerOf(r).UserID, l); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, ladderView{l})
}
