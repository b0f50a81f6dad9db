package http

import (
	"context"
	"net/http"

	"github.com/gorilla/mux"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/projections/projector"
)

// Projections is the area that shows how far the asynchronous projections are, and that
// verifies or rebuilds one.
type Projections struct {
	Status func(ctx context.Context) ([]projector.BuildStatus, error)
	Runs   *projector.Runs
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

type projectionRun struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	Work        projector.Work `json:"work"`
	State       string         `json:"state"` // pending, running, done or failed
	Done        int64          `json:"done"`
	Total       int64          `json:"total"`
	Wrong       int64          `json:"wrong"`
	Findings    []string       `json:"findings"`
	RequestedBy string         `json:"requestedBy"`
	RequestedAt domain.Time    `json:"requestedAt"`
	StartedAt   *domain.Time   `json:"startedAt"`
	FinishedAt  *domain.Time   `json:"finishedAt"`
	Error       *string        `json:"error"`
}

func viewRun(r projector.Run) projectionRun {
	state := "pending"
	switch {
	case r.FinishedAt != nil && r.Error != nil:
		state = "failed"
	case r.FinishedAt != nil:
		state = "done"
	case r.StartedAt != nil:
		state = "running"
	}
	return projectionRun{
		ID: r.ID, Name: r.Name, Work: r.Work, State: state, Done: r.Done, Total: r.Total, Wrong: r.Wrong, Findings: r.Findings,
		RequestedBy: r.RequestedBy, RequestedAt: domain.Time(r.RequestedAt),
		StartedAt: domain.TimeOf(r.StartedAt), FinishedAt: domain.TimeOf(r.FinishedAt), Error: r.Error,
	}
}

func (a *Projections) list(w http.ResponseWriter, r *http.Request) error {
	status, err := a.Status(r.Context())
	if err != nil {
		return err
	}
	latest, err := a.Runs.Latest(r.Context())
	if err != nil {
		return err
	}
	runs := make([]projectionRun, len(latest))
	for i := range latest {
		runs[i] = viewRun(latest[i])
	}
	return writeJSON(w, http.StatusOK, struct {
		Items []projector.BuildStatus `json:"items"`
		Runs  []projectionRun         `json:"runs"`
	}{status, runs})
}

// request answers before the work is done; the list shows its progress.
func (a *Projections) request(work projector.Work) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		run, err := a.Runs.Request(r.Context(), mux.Vars(r)["name"], work, callerOf(r).UserID)
		if err != nil {
			return err
		}
		zerolog.Ctx(r.Context()).Info().Str("run", run.ID).Str("projection", run.Name).Str("work", string(work)).
			Str("user", callerOf(r).UserID).Msg("a projection run was asked for")
		return writeJSON(w, http.StatusAccepted, viewRun(run))
	}
}
