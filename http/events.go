package http

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// Audit is the area of the sealed log.
type Audit struct {
	// Log reads one page of the sealed log after a position, without the report that blind hides.
	Log func(ctx context.Context, after int64, blind *permission.Blind, r paging.Request) (paging.Page[eventstore.Logged], error)
	// Filtered reads one page of what the filter chooses from the sealed log.
	Filtered func(ctx context.Context, f eventstore.LogFilter, r paging.Request) (paging.Page[eventstore.Logged], error)
	// Names returns the names of those ids that are accounts.
	Names func(ctx context.Context, ids []string) (map[string]string, error)
}

// loggedEvent is an event with the present name of its actor, which the log does not keep.
type loggedEvent struct {
	eventstore.Logged
	ActorName *string `json:"actorName"`
}

func (a *Audit) routes() []route {
	return []route{{http.MethodGet, "/moderation/events", admin(permission.AreaAudit), a.events}}
}

func (a *Audit) events(w http.ResponseWriter, r *http.Request) error {
	page, err := a.page(r)
	if err != nil {
		return err
	}
	var actors []string
	for _, e := range page.Edges {
		if e.ActorID != nil && !slices.Contains(actors, *e.ActorID) {
			actors = append(actors, *e.ActorID)
		}
	}
	names, err := a.Names(r.Context(), actors)
	return okJSON(w, paging.Map(page, func(e eventstore.Logged) loggedEvent {
		named := loggedEvent{Logged: e}
		if e.ActorID != nil {
			if name, known := names[*e.ActorID]; known {
				named.ActorName = &name
			}
		}
		return named
	}), err)
}

func (a *Audit) page(r *http.Request) (page paging.Page[eventstore.Logged], err error) {
	q := r.URL.Query()
	after, issues := position(q)
	filter, found := logFilter(q)
	filter.Blind = callerOf(r).Blind
	issues = append(issues, found...)
	if !slices.ContainsFunc(logFilters, func(name string) bool { return q.Get(name) != "" }) {
		request, err := eventstore.LogList.Parse(q, issues...)
		if err != nil {
			return page, err
		}
		return a.Log(r.Context(), after, callerOf(r).Blind, request)
	}
	if q.Has("after") {
		issues = append(issues, domain.Issue{Path: "after", Code: "exclusive", Message: "Give a position or filters, not both."})
	}
	request, err := eventstore.FilteredLogList.Parse(q, issues...)
	if err != nil {
		return page, err
	}
	return a.Filtered(r.Context(), filter, request)
}

var logFilters = []string{"actorId", "type", "reportId", "occurredAfter", "occurredBefore"}

func logFilter(q url.Values) (f eventstore.LogFilter, issues []domain.Issue) {
	issues = repeated(q, logFilters...)
	fault := func(path, message string) {
		issues = append(issues, domain.Issue{Path: path, Code: "invalid", Message: message})
	}
	id := func(name string) string {
		id, ok := parseUUID(q.Get(name))
		if !ok && q.Get(name) != "" {
			fault(name, "Must be a UUID.")
		}
		return id
	}
	moment := func(name string) *time.Time {
		t, ok := parseTime(q.Get(name))
		if ok {
			return &t
		}
		if q.Get(name) != "" {
			fault(name, "Must be an RFC 3339 time.")
		}
		return nil
	}
	f.ActorID, f.ReportID = id("actorId"), id("reportId")
	f.After, f.Before = moment("occurredAfter"), moment("occurredBefore")
	if f.Type = report.Type(q.Get("type")); f.Type != "" && !slices.Contains(report.Types(), f.Type) {
		issues = append(issues, domain.Issue{Path: "type", Code: "unknown_value", Message: "Must be a type of event."})
	}
	return f, issues
}

// position reads `after`. Positions begin at 1.
func position(q url.Values) (int64, []domain.Issue) {
	if !q.Has("after") {
		return 0, nil
	}
	if issues := repeated(q, "after"); issues != nil {
		return 0, issues
	}
	n, err := strconv.ParseUint(q.Get("after"), 10, 63)
	if err != nil {
		return 0, []domain.Issue{{Path: "after", Code: "invalid", Message: "Must be a position: a whole number of at least 0."}}
	}
	return int64(n), nil
}
