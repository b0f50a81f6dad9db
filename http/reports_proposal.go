package http

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
)

func (a *Measures) proposalRoute() route {
	return route{http.MethodGet, "/moderation/reports/{id}/proposal", moderator, byID(a.proposal)}
}

func (a *Measures) proposal(w http.ResponseWriter, r *http.Request, id string) error {
	at, err := a.Moderation.Authorize(r.Context(), callerOf(r), id, permission.ViewReports)
	if err != nil {
		return err
	}
	key := r.URL.Query().Get("policy")
	issues := repeated(r.URL.Query(), "policy", "decisions")
	decisions := 1
	if text := r.URL.Query().Get("decisions"); text != "" {
		if decisions, err = strconv.Atoi(text); err != nil || decisions < 1 || decisions > moderation.MaxSimilar {
			issues = append(issues, domain.Issue{Path: "decisions", Code: "out_of_range", Message: fmt.Sprintf("Must be from 1 to %d.", moderation.MaxSimilar)})
		}
	}
	if key != "" && !policy.ValidKey(key) {
		issues = append(issues, domain.Issue{Path: "policy", Code: "invalid", Message: "Must be the key of a policy."})
	}
	if err := domain.Invalid(issues...); err != nil {
		return err
	}
	items, err := a.Moderation.Propose(r.Context(), at, key, decisions)
	return okJSON(w, map[string]any{"items": items}, err)
}
