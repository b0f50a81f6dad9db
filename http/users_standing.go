package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/projections"
)

func (a *Measures) standingRoute() route {
	return route{http.MethodGet, "/users/standing", signedIn, paged(projections.ConcernList, a.standing)}
}

// standing returns a member's own strikes, measures and decisions.
func (a *Measures) standing(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	user := callerOf(r).UserID
	strikes, measures, err := a.Queries.StandingOf(r.Context(), user, a.Moderation.Now())
	if err != nil {
		return err
	}
	page, err := a.Queries.Concerns(r.Context(), user, request)
	if err != nil {
		return err
	}
	shown := domain.Map(measures, moderation.ViewMemberMeasure)
	return writeJSON(w, http.StatusOK, struct {
		Strikes   int                                 `json:"strikes"`
		Measures  []moderation.MemberMeasure          `json:"measures"`
		Decisions paging.Page[moderation.ConcernView] `json:"decisions"`
	}{strikes, shown, paging.Map(page, a.Moderation.ViewConcern)})
}
