package http

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
)

func (a *Cases) nextRoute() route {
	return route{http.MethodPost, "/moderation/next", moderator, holding(permission.ManageReports, a.next)}
}

// next claims the case with the highest priority within the filters of the board.
func (a *Cases) next(w http.ResponseWriter, r *http.Request) error {
	caller, q := callerOf(r), readQuery(r)
	if q.Has("kind") {
		return a.nextSecond(w, r)
	}
	filter := q.reportFilter(caller)
	if err := q.Err(); err != nil {
		return err
	}
	manage := caller.Coverage(permission.ManageReports)
	first, err := a.Moderation.Next(r.Context(), caller, func(ctx context.Context) (*moderation.CaseTarget, error) {
		return a.Queries.ReserveCase(ctx, coverage(r), manage, filter, waitsFor(caller))
	})
	if err != nil {
		return err
	}
	if first == nil {
		return noContent(w, nil)
	}
	return writeJSON(w, http.StatusOK, first)
}

// nextSecond assigns a second opinion. It has no filters, so that nobody can choose.
func (a *Cases) nextSecond(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	if q.text("kind") != "second" {
		q.fault("kind", "unknown_value", "Must be second.")
	}
	for _, name := range slices.Sorted(maps.Keys(q.Values)) {
		if name != "kind" {
			q.fault(name, "exclusive", "A second opinion is given without filters.")
		}
	}
	if err := q.Err(); err != nil {
		return err
	}
	task, err := a.Moderation.NextSecond(r.Context(), callerOf(r))
	if err == nil && task == nil {
		return noContent(w, nil)
	}
	return okJSON(w, task, err)
}
