package http

import (
	"context"
	"net/http"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections"
)

// Held has the routes of held decisions, which need a second person's approval.
type Held struct {
	Moderation *moderation.Service
	Queries    *projections.Reports
}

func (a *Held) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/held", moderator, paged(projections.HeldList, a.list)},
		{http.MethodPost, "/moderation/held/{id}/approve", moderator, byID(a.release(a.Moderation.Approve))},
		{http.MethodPost, "/moderation/held/{id}/reject", moderator, byID(a.release(a.Moderation.Reject))},
	}
}

func (a *Held) list(w http.ResponseWriter, r *http.Request, request paging.Request) error {
	page, err := a.Queries.Held(r.Context(), coverage(r), request)
	if err != nil {
		return err
	}
	items, err := a.Moderation.ViewHeld(r.Context(), callerOf(r), page)
	return okJSON(w, items, err)
}

// release serves a release: it calls run, and responds with the first report after it.
func (a *Held) release(run func(context.Context, *moderation.Authorized, moderation.Release) (*moderation.Report, error)) func(http.ResponseWriter, *http.Request, string) error {
	return func(w http.ResponseWriter, r *http.Request, id string) error {
		at, err := a.Moderation.AuthorizeHeld(r.Context(), callerOf(r), id)
		if err != nil {
			return err
		}
		b := readBody(w, r)
		release := moderation.Release{HeldID: id, Expected: b.integer("expectedVersion")}
		reason, issues := report.ParseReleaseReason(b.optionalText("reason"))
		b.add(issues)
		if err := b.Err(); err != nil {
			return err
		}
		release.Reason = reason
		view, err := run(r.Context(), at, release)
		return okJSON(w, view, err)
	}
}

// heldStatus is the status of the response to a decision.
func heldStatus(held bool) int {
	if held {
		return http.StatusAccepted
	}
	return http.StatusOK
}
