package http

import (
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/projections"
)

// Reports has the routes of reports: filing, reading and working on them.
type Reports struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
	Filers     *account.Store // counts attempts, and finds or creates the members that a platform names

	hosts hostLimits
}

func (a *Reports) routes() []route {
	own := []route{
		a.fileRoute(),
		{http.MethodGet, "/moderation/reports", moderator, a.list},
		{http.MethodGet, "/moderation/reports/counts", moderator, a.counts},
		{http.MethodGet, "/moderation/reports/{id}", moderator, with(a.views, a.get)},
		{http.MethodGet, "/moderation/reports/{id}/related", moderator, with(a.views, a.related)},
		{http.MethodGet, "/moderation/reports/{id}/context", moderator, with(a.views, a.context)},
		{http.MethodGet, "/moderation/reports/{id}/timeline", moderator, with(a.views, a.timeline)},
		{http.MethodGet, "/moderation/reports/{id}/assignees", moderator, with(a.manages, a.assignees)},
		a.translateRoute(),
	}
	return slices.Concat(own, a.commandRoutes(), a.noteRoutes(), a.similarRoutes())
}

func (a *Reports) list(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	filter := q.reportFilter(callerOf(r))
	request, err := q.page(projections.ReportList)
	if err != nil {
		return err
	}
	page, err := a.Queries.List(r.Context(), coverage(r), filter, request)
	return okJSON(w, a.summaries(page), err)
}

func (a *Reports) counts(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	q.Del("status")
	q.Del("assigned")
	filter := q.reportFilter(callerOf(r))
	if err := q.Err(); err != nil {
		return err
	}
	counts, err := a.Queries.Counts(r.Context(), coverage(r), filter, callerOf(r).UserID)
	return okJSON(w, counts, err)
}

func (a *Reports) get(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	view, err := a.Moderation.View(r.Context(), authorized)
	return okJSON(w, view, err)
}

func (a *Reports) related(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	request, err := projections.ReportList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Queries.Related(r.Context(), coverage(r), authorized.Report.State, request)
	return okJSON(w, a.summaries(page), err)
}

func (a *Reports) timeline(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	request, err := projections.TimelineList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Queries.Timeline(r.Context(), authorized.Report.ID, request)
	return okJSON(w, page, err)
}

// context returns the content around the reported one.
func (a *Reports) context(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	items, err := a.Moderation.Context(r.Context(), authorized)
	return okJSON(w, map[string]any{"items": items}, err)
}

// assigneeList pages assignees by name.
var assigneeList = paging.List{
	ID:        paging.ID{Kind: paging.UUID},
	Orderings: []paging.Ordering{{Name: "name", Kind: paging.Text}},
}

// assignee is a moderator who may be assigned; self marks the caller.
type assignee struct {
	moderation.Person
	Self bool `json:"self"`
}

func (a *Reports) assignees(w http.ResponseWriter, r *http.Request, authorized *moderation.Authorized) error {
	q := readQuery(r)
	search, may := q.search(), q.text("may")
	if may != "" && may != "manage" && may != "approve" {
		q.fault("may", "unknown_value", "Must be manage or approve.")
	}
	request, err := q.page(assigneeList)
	if err != nil {
		return err
	}
	able := a.Moderation.Assignees
	if may == "approve" {
		able = a.Moderation.Releasers
	}
	people, err := able(r.Context(), authorized, search)
	if err != nil {
		return err
	}
	page := paging.Slice(people, request, func(p moderation.Person) paging.Position {
		return paging.Position{Value: paging.TextValue(p.Name), ID: paging.UUIDValue(p.ID)}
	})
	return writeJSON(w, http.StatusOK, paging.Map(page, func(p moderation.Person) assignee {
		return assignee{p, p.ID == callerOf(r).UserID}
	}))
}

func (a *Reports) summaries(page paging.Page[moderation.Stored]) paging.Page[moderation.Summary] {
	return paging.Map(page, func(s moderation.Stored) moderation.Summary { return a.Moderation.Summarize(&s) })
}

// authorize returns the report in the path, with the caller's authorization for it.
func (a *Reports) authorize(r *http.Request, need string) (*moderation.Authorized, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return nil, err
	}
	return a.Moderation.Authorize(r.Context(), callerOf(r), id, need)
}
