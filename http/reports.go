package http

import (
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/projections"
)

// Reports is the area of reports: filing, reading and working on them.
type Reports struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
	Members    Members // for tokens of use host

	hosts hostLimits
}

func (a *Reports) routes() []route {
	return []route{
		{http.MethodPost, "/moderation/reports", reporter, a.file},
		{http.MethodGet, "/moderation/reports", moderator, a.list},
		{http.MethodGet, "/moderation/reports/counts", moderator, a.counts},
		{http.MethodGet, "/moderation/reports/{id}", moderator, a.get},
		{http.MethodGet, "/moderation/reports/{id}/related", moderator, a.related},
		{http.MethodGet, "/moderation/reports/{id}/timeline", moderator, a.timeline},
		{http.MethodGet, "/moderation/reports/{id}/assignees", moderator, a.assignees},
		{http.MethodPost, "/moderation/reports/{id}/claim", moderator, a.claim},
		{http.MethodPost, "/moderation/reports/{id}/assign", moderator, a.assign},
		{http.MethodPost, "/moderation/reports/{id}/unassign", moderator, a.unassign},
		{http.MethodPost, "/moderation/reports/{id}/resolve", moderator, a.resolve},
		{http.MethodPost, "/moderation/reports/{id}/reopen", moderator, a.reopen},
		{http.MethodPost, "/moderation/reports/{id}/actions/{action}", moderator, a.act},
		{http.MethodPost, "/moderation/reports/{id}/notes", moderator, a.addNote},
		{http.MethodPost, "/moderation/reports/{id}/notes/{noteId}/edit", moderator, a.editNote},
		{http.MethodPost, "/moderation/reports/{id}/notes/{noteId}/delete", moderator, a.deleteNote},
	}
}

// maxSearch bounds the text of a search, in characters.
const maxSearch = 200

func (a *Reports) list(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	filter, issues := reportFilter(q, callerOf(r))
	request, err := projections.ReportList.Parse(q, issues...)
	if err != nil {
		return err
	}
	page, err := a.Queries.List(r.Context(), coverage(r), filter, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, a.summaries(page))
}

func (a *Reports) counts(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	q.Del("status")
	q.Del("assigned")
	filter, issues := reportFilter(q, callerOf(r))
	if err := domain.Invalid(issues...); err != nil {
		return err
	}
	counts, err := a.Queries.Counts(r.Context(), coverage(r), filter, callerOf(r).UserID)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, counts)
}

func (a *Reports) get(w http.ResponseWriter, r *http.Request) error {
	authorized, err := a.authorize(r, "")
	if err != nil {
		return err
	}
	view, err := a.Moderation.View(r.Context(), authorized)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, view)
}

func (a *Reports) related(w http.ResponseWriter, r *http.Request) error {
	authorized, err := a.authorize(r, "")
	if err != nil {
		return err
	}
	request, err := projections.ReportList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Queries.Related(r.Context(), coverage(r), authorized.Report.State, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, a.summaries(page))
}

func (a *Reports) timeline(w http.ResponseWriter, r *http.Request) error {
	authorized, err := a.authorize(r, "")
	if err != nil {
		return err
	}
	request, err := projections.TimelineList.Parse(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := a.Queries.Timeline(r.Context(), authorized.Report.ID, request)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, page)
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

func (a *Reports) assignees(w http.ResponseWriter, r *http.Request) error {
	authorized, err := a.authorize(r, permission.ManageReports)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	search, issues := searchText(q)
	request, err := assigneeList.Parse(q, issues...)
	if err != nil {
		return err
	}
	people, err := a.Moderation.Assignees(r.Context(), authorized, search)
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

// authorize returns the report of the path and what the caller may do to it.
func (a *Reports) authorize(r *http.Request, need string) (*moderation.Authorized, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return nil, err
	}
	return a.Moderation.Authorize(r.Context(), callerOf(r), id, need)
}

// reportFilter reads the filters of the board. Without `muted`, reports by muted people are left out.
func reportFilter(q url.Values, c *permission.Caller) (projections.Filter, []domain.Issue) {
	var f projections.Filter
	issues := repeated(q, "assigned", "reason", "scope", "pluginId", "targetType", "targetId", "createdAfter", "createdBefore", "muted", "overdue")
	fault := func(path, code, message string) {
		issues = append(issues, domain.Issue{Path: path, Code: code, Message: message})
	}
	var found []domain.Issue
	f.Statuses, found = statusFilter(q, report.Statuses)
	issues = append(issues, found...)
	switch assigned := q.Get("assigned"); assigned {
	case "":
	case "me":
		f.AssigneeID = c.UserID
	case "none":
		f.Unassigned = true
	case "any":
		f.Assigned = true
	default:
		var ok bool
		if f.AssigneeID, ok = parseUUID(assigned); !ok {
			fault("assigned", "invalid", "Must be me, none, any or a user id.")
		}
	}
	if reason := q.Get("reason"); reason != "" {
		f.Reason, found = report.ParseReason(reason)
		issues = append(issues, found...)
	}
	if s := q.Get("scope"); s != "" {
		family, id, ok := strings.Cut(s, ":")
		if !ok || family == "" || !domain.Storable(family) || (id != "" && !scope.ValidResourceID(id)) {
			fault("scope", "invalid", "Must be family:resource.")
		} else {
			f.Scope = &scope.Resource{Family: family, ID: id}
		}
	}
	for _, text := range []struct {
		name string
		into *string
	}{{"pluginId", &f.PluginID}, {"targetType", &f.TargetType}, {"targetId", &f.TargetID}} {
		if *text.into = q.Get(text.name); !domain.Storable(*text.into) {
			fault(text.name, "invalid_text", "Must be valid UTF-8 without the character U+0000.")
		}
	}
	for _, moment := range []struct {
		name string
		into **time.Time
	}{{"createdAfter", &f.After}, {"createdBefore", &f.Before}} {
		if value := q.Get(moment.name); value != "" {
			t, ok := parseTime(value)
			if !ok {
				fault(moment.name, "invalid", "Must be an RFC 3339 time.")
				continue
			}
			*moment.into = &t
		}
	}
	muted, found := flag(q, "muted")
	issues = append(issues, found...)
	f.Muted = &muted
	f.Overdue, found = flag(q, "overdue")
	issues = append(issues, found...)
	f.Search, found = searchText(q)
	return f, append(issues, found...)
}

// searchText reads the parameter `search`.
func searchText(q url.Values) (string, []domain.Issue) {
	search := strings.TrimSpace(q.Get("search"))
	if issues := repeated(q, "search"); issues != nil {
		return "", issues
	}
	switch {
	case !domain.Storable(search):
		return "", []domain.Issue{{Path: "search", Code: "invalid_text", Message: "Must be valid UTF-8 without the character U+0000."}}
	case utf8.RuneCountInString(search) > maxSearch:
		return "", []domain.Issue{{Path: "search", Code: "too_long", Message: "Must have at most 200 characters."}}
	}
	return search, nil
}

// flag reads a parameter that is `true` or `false`. It is false if it is absent.
func flag(q url.Values, name string) (bool, []domain.Issue) {
	switch q.Get(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, []domain.Issue{{Path: name, Code: "unknown_value", Message: "Must be true or false."}}
}
