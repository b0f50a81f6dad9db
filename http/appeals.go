package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
)

// Appeals has the routes for deciding appeals.
type Appeals struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
}

func (a *Appeals) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/appeals", moderator, holding(permission.DecideAppeals, a.list)},
		{http.MethodGet, "/moderation/appeals/{id}", moderator, a.get},
		{http.MethodPost, "/moderation/appeals/{id}/uphold", moderator, a.decide(a.Moderation.Uphold)},
		{http.MethodPost, "/moderation/appeals/{id}/overturn", moderator, a.decide(a.Moderation.Overturn)},
	}
}

func (a *Appeals) list(w http.ResponseWriter, r *http.Request) error {
	caller, q := callerOf(r), readQuery(r)
	filter := projections.AppealFilter{Statuses: severalOf(q, "status", report.AppealStatuses)}
	if q.flag("mine") {
		filter.DecidableBy = caller.UserID
	}
	request, err := q.page(projections.AppealList)
	if err != nil {
		return err
	}
	page, reports, err := a.Queries.ListAppeals(r.Context(), caller.Coverage(permission.DecideAppeals), filter, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, paging.Map(page, func(s moderation.StoredAppeal) moderation.AppealView {
		found := reports[s.ReportID]
		return moderation.ViewAppeal(s, found.Version, a.Moderation.Summarize(found))
	}))
}

func (a *Appeals) authorize(r *http.Request) (*moderation.Authorized, moderation.StoredAppeal, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return nil, moderation.StoredAppeal{}, err
	}
	return a.Moderation.AuthorizeAppeal(r.Context(), callerOf(r), id)
}

func (a *Appeals) get(w http.ResponseWriter, r *http.Request) error {
	at, appeal, err := a.authorize(r)
	if err != nil {
		return err
	}
	shown, err := a.Moderation.View(r.Context(), at)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, moderation.ViewAppeal(appeal, shown.Version, shown))
}

type decideAppeal func(ctx context.Context, a *moderation.Authorized, appealID, reply string, expectedVersion int) (*moderation.Report, error)

// decide responds with the appeal after the decision.
func (a *Appeals) decide(decide decideAppeal) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		at, appeal, err := a.authorize(r)
		if err != nil {
			return err
		}
		b := readBody(w, r)
		version := b.integer("expectedVersion")
		reply, issues := report.ParseAppealText("reply", b.text("reply"))
		b.add(issues)
		if err := b.Err(); err != nil {
			return err
		}
		shown, err := decide(r.Context(), at, appeal.ID, reply, version)
		if err != nil {
			return err
		}
		if appeal, err = a.Queries.Appeal(r.Context(), appeal.ID); err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, moderation.ViewAppeal(appeal, shown.Version, shown))
	}
}
