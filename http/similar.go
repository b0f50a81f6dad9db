package http

import (
	"net/http"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
)

func (a *Reports) decideSimilarRoute() route {
	return route{http.MethodPost, "/moderation/similar/decide", moderator, holding(permission.ManageReports, a.decideSimilar)}
}

// decideSimilar decides several reports with similar content one by one. If some are decided before
// an error, it logs the error and responds with these.
func (a *Reports) decideSimilar(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	decision := moderation.SimilarDecision{Reports: b.expectedReports(moderation.MaxSimilar), Action: b.optionalText("action")}
	if v := b.required("resolve"); v != nil {
		b.object("resolve", v, func(o *body) {
			decision.Resolve = o.resolve(a.Moderation.Now())
			if len(decision.Resolve.Measures) > 0 {
				o.fault("measures", "not_allowed", "Measures are imposed on the author of one report or case.")
			}
		})
	}
	if err := b.errWith(func() ([]domain.Issue, error) { return a.Moderation.SimilarIssues(r.Context(), decision) }); err != nil {
		return err
	}
	outcome, err := a.Moderation.DecideSimilar(r.Context(), callerOf(r), decision)
	if err != nil && outcome != nil && len(outcome.Done)+len(outcome.Held) > 0 {
		zerolog.Ctx(r.Context()).Error().Err(err).Msg("look-alikes were decided in part")
		err = nil
	}
	if err != nil {
		return err
	}
	return writeJSON(w, heldStatus(len(outcome.Held) > 0), outcome)
}
