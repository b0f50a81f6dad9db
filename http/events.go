package http

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Audit has the routes of the sealed log.
type Audit struct {
	Log postgres.Reader
	// Names returns the names of those ids that are accounts.
	Names func(ctx context.Context, ids []string) (map[string]string, error)
}

// loggedEvent is an event with the present name of its actor, which the log does not have.
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
	q := readQuery(r)
	after, filter := q.position(), q.logFilter()
	filter.Blind = callerOf(r).Blind
	if !slices.ContainsFunc(logFilters, func(name string) bool { return q.Get(name) != "" }) {
		request, err := q.page(eventstore.LogList)
		if err != nil {
			return page, err
		}
		return eventstore.LogPage(r.Context(), a.Log, after, callerOf(r).Blind, request)
	}
	if q.Has("after") {
		q.fault("after", "exclusive", "Give a position or filters, not both.")
	}
	request, err := q.page(eventstore.FilteredLogList)
	if err != nil {
		return page, err
	}
	return eventstore.FilteredLogPage(r.Context(), a.Log, filter, request)
}

var logFilters = []string{"actorId", "type", "reportId", "occurredAfter", "occurredBefore"}

func (q *query) logFilter() eventstore.LogFilter {
	f := eventstore.LogFilter{ActorID: q.id("actorId", "Must be a UUID."), ReportID: q.id("reportId", "Must be a UUID."),
		After: q.time("occurredAfter"), Before: q.time("occurredBefore"), Type: report.Type(q.text("type"))}
	if f.Type != "" && !slices.Contains(report.Types(), f.Type) {
		q.fault("type", "unknown_value", "Must be a type of event.")
	}
	return f
}

// position reads `after`. The first position is 1.
func (q *query) position() int64 {
	if !q.Has("after") {
		return 0
	}
	n, err := strconv.ParseUint(q.text("after"), 10, 63)
	if err != nil {
		q.fault("after", "invalid", "Must be a position: a whole number of at least 0.")
	}
	return int64(n)
}
