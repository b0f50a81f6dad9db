package http

import (
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/seconds"
)

// Seconds has the routes of second opinions: decisions that somebody else decides again without
// knowing the first one. Cases assigns the next one, and Stats shows how often people agree.
type Seconds struct {
	Moderation *moderation.Service
	Store      *seconds.Store
	Queries    *projections.Reports
}

func (a *Seconds) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/seconds", moderator, holding(permission.ViewQuality, a.list)},
		{http.MethodPost, "/moderation/seconds/{id}", moderator, holding(permission.ManageReports, byID(a.decide))},
		{http.MethodPost, "/moderation/seconds/{id}/leave", moderator, holding(permission.ManageReports, byID(a.leave))},
		{http.MethodPost, "/moderation/seconds/{id}/settle", moderator, byID(a.settle)},
	}
}

// listedSecond is a second opinion with the reason, title and target of its report.
type listedSecond struct {
	moderation.SecondView
	Reason report.Reason            `json:"reason"`
	Title  string                   `json:"title"`
	Target moderation.TargetSummary `json:"target"`
}

func (a *Seconds) list(w http.ResponseWriter, r *http.Request) error {
	caller, q := callerOf(r), readQuery(r)
	only := severalOf(q, "status", second.Statuses)
	request, err := q.page(seconds.List)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), caller.Coverage(permission.ViewQuality), only, request)
	if err != nil {
		return err
	}
	ids := domain.Map(page.Edges, func(s moderation.StoredSecond) string { return s.ReportID })
	reports, err := a.Queries.FindAll(r.Context(), ids)
	return okJSON(w, paging.Map(page, func(s moderation.StoredSecond) listedSecond {
		item := listedSecond{SecondView: moderation.ViewSecond(&s)}
		if about := reports[s.ReportID]; about != nil {
			summary := a.Moderation.Summarize(about)
			item.Reason, item.Title, item.Target = summary.Reason, summary.Title, summary.Target
		}
		return item
	}), err)
}

func (a *Seconds) decide(w http.ResponseWriter, r *http.Request, id string) error {
	turn, err := a.Moderation.AuthorizeTurn(r.Context(), callerOf(r), id)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	resolution, issues := report.ParseResolution(b.text("resolution"))
	b.add(issues)
	cited := b.optionalPolicy("policy")
	if err := b.Err(); err != nil {
		return err
	}
	shown, err := a.Moderation.DecideSecond(r.Context(), callerOf(r), turn, resolution, cited)
	return okJSON(w, shown, err)
}

func (a *Seconds) leave(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Moderation.LeaveSecond(r.Context(), callerOf(r), id))
}

func (a *Seconds) settle(w http.ResponseWriter, r *http.Request, id string) error {
	found, at, err := a.Moderation.AuthorizeSecond(r.Context(), callerOf(r), id, permission.ViewQuality)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	how := moderation.Settlement{Stands: b.boolean("stands"), Reopen: b.optionalBoolean("reopen")}
	var issues []domain.Issue
	how.Reason, issues = report.ParseReopenReason(b.text("reason"))
	b.add(issues)
	if how.Stands && how.Reopen {
		b.fault("reopen", "exclusive", "A decision that stands is not reopened.")
	}
	if err := b.Err(); err != nil {
		return err
	}
	shown, err := a.Moderation.SettleSecond(r.Context(), at, found, how)
	return okJSON(w, shown, err)
}
