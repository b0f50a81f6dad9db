package http

import (
	"net/http"
	"time"

	"github.com/gorilla/mux"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/projector"
)

// Projections has the routes that show how far the asynchronous projections are, and that verify or
// rebuild one.
type Projections struct {
	Log  postgres.Reader
	Runs *projector.Runs
}

func (a *Projections) routes() []route {
	const all = "/admin/advanced/projections"
	audit := admin(permission.AreaAudit)
	return []route{
		{http.MethodGet, all, audit, a.list},
		{http.MethodPost, all + "/{name}/verify", audit, a.request(projector.WorkVerify)},
		{http.MethodPost, all + "/{name}/rebuild", audit, a.request(projector.WorkRebuild)},
	}
}

func (a *Projections) list(w http.ResponseWriter, r *http.Request) error {
	status, err := projector.Status(r.Context(), a.Log, time.Now())
	if err != nil {
		return err
	}
	latest, err := a.Runs.Latest(r.Context())
	return okJSON(w, map[string]any{"items": status, "runs": domain.OrNone(latest)}, err)
}

// request responds before the work is done; the list shows its progress.
func (a *Projections) request(work projector.Work) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		run, err := a.Runs.Request(r.Context(), mux.Vars(r)["name"], work, callerOf(r).UserID)
		if err != nil {
			return err
		}
		zerolog.Ctx(r.Context()).Info().Str("run", run.ID).Str("projection", run.Name).Str("work", string(work)).
			Str("user", callerOf(r).UserID).Msg("a projection run was asked for")
		return writeJSON(w, http.StatusAccepted, run)
	}
}
