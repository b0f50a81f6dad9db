package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
)

// Decisions has the routes by which members read decisions on their content and their reports, and
// appeal them.
type Decisions struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
}

func (a *Decisions) routes() []route {
	return []route{
		{http.MethodGet, "/users/decisions", signedIn, paged(projections.ConcernList, a.list)},
		{http.MethodGet, "/users/decisions/{id}", signedIn, byID(a.get)},
		{http.MethodPost, "/users/decisions/{id}/appeal", reporter, byID(a.appeal)},
	}
}

func (a *Decisions) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Queries.Concerns(r.Context(), callerOf(r).UserID, request)
	return okJSON(w, paging.Map(page, a.Moderation.ViewConcern), err)
}

func (a *Decisions) get(w http.ResponseWriter, r *http.Request, id string) error {
	c, err := a.Queries.Concern(r.Context(), callerOf(r).UserID, id)
	if err != nil {
		return err
	}
	view := a.Moderation.ViewConcern(*c)
	if c.Role == report.Reporter || c.Snapshot == nil {
		c.Snapshot = []byte(`null`)
	}
	view.Snapshot = &c.Snapshot
	return writeJSON(w, http.StatusOK, view)
}

func (a *Decisions) appeal(w http.ResponseWriter, r *http.Request, id string) error {
	caller := callerOf(r)
	if _, err := a.Queries.Concern(r.Context(), caller.UserID, id); err != nil {
		return err
	}
	b := readBody(w, r)
	text, issues := report.ParseAppealText("text", b.text("text"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	appealID, err := a.Moderation.Appeal(r.Context(), caller, id, text)
	if err != nil {
		return err
	}
	made, err := a.Queries.Appeal(r.Context(), appealID)
	return answerJSON(w, http.StatusCreated, moderation.ViewMemberAppeal(made), err)
}
