package http

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/seconds"
)

// Seconds is the area of second opinions: decisions that somebody else decides again without knowing them,
// how often people agree, and how much is decided again. Cases gives out the next one.
type Seconds struct {
	Moderation *moderation.Service
	Store      *seconds.Store
	Queries    *projections.Reports
	Quality    *quality.Store
}

func (a *Seconds) routes() []route {
	manageQuality := admin(permission.AreaQuality)
	return []route{
		{http.MethodGet, "/moderation/seconds", moderator, a.list},
		{http.MethodPost, "/moderation/seconds/{id}", moderator, managing(byID(a.decide))},
		{http.MethodPost, "/moderation/seconds/{id}/leave", moderator, managing(byID(a.leave))},
		{http.MethodPost, "/moderation/seconds/{id}/settle", moderator, byID(a.settle)},
		{http.MethodGet, "/moderation/stats/agreement", moderator, a.agreement},
		{http.MethodGet, "/admin/quality", manageQuality, a.settings},
		{http.MethodPut, "/admin/quality", manageQuality, a.set},
	}
}

// listedSecond is a second opinion with what its report is about, and nothing of what was decided.
type listedSecond struct {
	moderation.SecondView
	Reason report.Reason            `json:"reason"`
	Title  string                   `json:"title"`
	Target moderation.TargetSummary `json:"target"`
}

func (a *Seconds) list(w http.ResponseWriter, r *http.Request) error {
	caller, q := callerOf(r), r.URL.Query()
	if !caller.Moderator.HasAnywhere(permission.ViewQuality) {
		return forbidden("You need the permission " + permission.ViewQuality + ".")
	}
	statuses, issues := statusFilter(q, second.Statuses)
	request, err := seconds.List.Parse(q, issues...)
	if err != nil {
		return err
	}
	page, err := a.Store.List(r.Context(), caller.Coverage(permission.ViewQuality), statuses, request)
	if err != nil {
		return err
	}
	ids := make([]string, len(page.Edges))
	for i, s := range page.Edges {
		ids[i] = s.ReportID
	}
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
	b := readBody(w, r)
	resolution, issues := report.ParseResolution(b.text("resolution"))
	b.add(issues)
	cited := b.optionalPolicy("policy")
	if err := b.Err(); err != nil {
		return err
	}
	shown, err := a.Moderation.DecideSecond(r.Context(), callerOf(r), id, resolution, cited)
	return okJSON(w, shown, err)
}

func (a *Seconds) leave(w http.ResponseWriter, r *http.Request, id string) error {
	return noContent(w, a.Moderation.LeaveSecond(r.Context(), callerOf(r), id))
}

func (a *Seconds) settle(w http.ResponseWriter, r *http.Request, id string) error {
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
	shown, err := a.Moderation.SettleSecond(r.Context(), callerOf(r), id, how)
	return okJSON(w, shown, err)
}

type agreementBody struct {
	second.Agreement
	Golden seconds.Golden    `json:"golden"`
	Items  []seconds.Figures `json:"items"`
}

func (a *Seconds) agreement(w http.ResponseWriter, r *http.Request) error {
	caller, q := callerOf(r), r.URL.Query()
	by, own, issues := agreementFilter(q)
	if err := domain.Invalid(issues...); err != nil {
		return err
	}
	all, of, golden, err := a.Store.Agreement(r.Context(), caller.Coverage(permission.ViewQuality), caller.UserID, own, by)
	return okJSON(w, agreementBody{all, golden, append([]seconds.Figures{}, of...)}, err)
}

func agreementFilter(q url.Values) (by seconds.By, own bool, issues []domain.Issue) {
	by = seconds.By(q.Get("by"))
	if !slices.Contains([]seconds.By{"", seconds.ByPolicy, seconds.ByModerator, seconds.ByReason}, by) {
		issues = append(issues, domain.Issue{Path: "by", Code: "unknown_value", Message: "Must be policy, moderator or reason."})
	}
	own, found := flag(q, "mine")
	return by, own, slices.Concat(repeated(q, "by", "mine"), issues, found)
}

// qualityView is what is decided again now, and all that ever was, with which anybody can draw again.
type qualityView struct {
	Percent int            `json:"percent"`
	Golden  int            `json:"golden"`
	History []qualityEntry `json:"history"` // the oldest first
}

type qualityEntry struct {
	Percent int             `json:"percent"`
	Golden  int             `json:"golden"`
	Since   moderation.Time `json:"since"`
}

func viewQuality(versions []second.Settings) qualityView {
	v := qualityView{History: []qualityEntry{}}
	for _, s := range versions {
		v.Percent, v.Golden = s.Percent, s.Golden
		v.History = append(v.History, qualityEntry{s.Percent, s.Golden, moderation.Time(s.Since)})
	}
	return v
}

func (a *Seconds) settings(w http.ResponseWriter, r *http.Request) error {
	versions, err := a.Quality.Versions(r.Context())
	return okJSON(w, viewQuality(versions), err)
}

func (a *Seconds) set(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	settings := second.Settings{Percent: b.integer("percent"), Golden: b.integer("golden")}
	b.add(settings.Check())
	if err := b.Err(); err != nil {
		return err
	}
	versions, err := a.Quality.Set(r.Context(), callerOf(r).UserID, settings)
	return okJSON(w, viewQuality(versions), err)
}
