package http

import "net/http"

func (a *Live) presenceRoute() route {
	return route{http.MethodPost, "/moderation/reports/{id}/presence", moderator, byID(a.look)}
}

func (a *Live) look(w http.ResponseWriter, r *http.Request, id string) error {
	c := callerOf(r)
	if _, err := a.Authorize(r.Context(), c, id, ""); err != nil {
		return err
	}
	return noContent(w, a.Hub.Look(r.Context(), id, c.UserID, c.Name))
}
