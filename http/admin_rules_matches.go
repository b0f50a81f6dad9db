package http

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/projections/rules"
)

func (a *Rules) matchesRoute() route {
	return route{http.MethodGet, "/admin/rules/{key}/matches", manageRules, a.matches}
}

// matches lists the matches of the versions of a rule.
func (a *Rules) matches(w http.ResponseWriter, r *http.Request) error {
	key := mux.Vars(r)["key"]
	if !rule.ValidKey(key) {
		return notFound()
	}
	figures, err := rules.FiguresOf(r.Context(), a.Pool, key)
	return okJSON(w, map[string]any{"items": figures}, err)
}
