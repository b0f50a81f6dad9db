package http

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/projections/rules"
)

func (a *Rules) matchesRoute() route {
	return route{http.MethodGet, "/admin/rules/{key}/matches", manageRules, a.matches}
}

// matchesView is what a version of a rule matched since it is in the shadow or live.
type matchesView struct {
	Version  int              `json:"version"`
	Shadow   rule.Figures     `json:"shadow"`
	Live     rule.Figures     `json:"live"`
	Failed   int              `json:"failed"`
	Error    *string          `json:"error"` // the kind of the last failure
	FailedAt *moderation.Time `json:"failedAt"`
}

func (a *Rules) matches(w http.ResponseWriter, r *http.Request) error {
	key := mux.Vars(r)["key"]
	if !rule.ValidKey(key) {
		return notFound()
	}
	figures, err := rules.FiguresOf(r.Context(), a.Pool, key)
	views := make([]matchesView, len(figures))
	for i, f := range figures {
		views[i] = matchesView{f.Version, f.Shadow, f.Live, f.Failed, f.Error, moderation.TimeOf(f.FailedAt)}
	}
	return okJSON(w, map[string]any{"items": views}, err)
}
