package http

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
)

func (a *Measures) proposalRoute() route {
	return route{http.MethodGet, "/moderation/reports/{id}/proposal", moderator, byID(a.proposal)}
}

func (a *Measures) proposal(w http.ResponseWriter, r *http.Request, id string) error {
	at, err := a.Moderation.Authorize(r.Context(), callerOf(r), id, permission.ViewReports)
	if err != nil {
		return err
	}
	q := readQuery(r)
	key, decisions := q.policyKey("policy"), 1
	if text := q.text("decisions"); text != "" {
		if decisions, err = strconv.Atoi(text); err != nil || decisions < 1 || decisions > moderation.MaxSimilar {
			q.fault("decisions", "out_of_range", fmt.Sprintf("Must be from 1 to %d.", moderation.MaxSimilar))
		}
	}
	if err := q.Err(); err != nil {
		return err
	}
	items, err := a.Moderation.Propose(r.Context(), at, key, decisions)
	return okJSON(w, map[string]any{"items": items}, err)
}
