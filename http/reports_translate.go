package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
)

func (a *Reports) translateRoute() route {
	return route{http.MethodPost, "/moderation/reports/{id}/translate", moderator, with(a.views, a.translate)}
}

func (a *Reports) translate(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	b := readBody(w, r)
	to := b.text("to")
	if to != "" && !domain.ValidLocale(to) {
		b.fault("to", "invalid", "Must be a language, such as en or pt-BR.")
	}
	if err := b.Err(); err != nil {
		return err
	}
	translation, err := a.Moderation.Translate(r.Context(), authorized, to)
	return okJSON(w, translation, err)
}
