package http

import (
	"net/http"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/platform/mute"
	"github.com/docketmod/docket/projections"
)

// Reporters has the routes of reporters and their mutes. Callers see the reporters of reports that
// their grants cover.
type Reporters struct {
	Mutes   *mute.Store
	Queries *projections.Reports
}

func (a *Reporters) routes() []route {
	return []route{
		{http.MethodGet, "/moderation/reporters/{id}", moderator, with(a.seen, a.answer)},
		{http.MethodPost, "/moderation/reporters/{id}/mute", moderator, with(a.mutable, a.mute)},
		{http.MethodPost, "/moderation/reporters/{id}/unmute", moderator, with(a.mutable, a.unmute)},
	}
}

func (a *Reporters) mute(w http.ResponseWriter, r *http.Request, id string) error {
	b := readBody(w, r)
	until := b.end("until", b.text("until"), mute.Longest, "ten years")
	reason, issues := report.ParseMuteReason(b.text("reason"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return err
	}
	if err := a.Mutes.Mute(r.Context(), callerOf(r), id, until, reason); err != nil {
		return err
	}
	return a.answer(w, r, id)
}

func (a *Reporters) unmute(w http.ResponseWriter, r *http.Request, id string) error {
	if err := a.Mutes.Unmute(r.Context(), callerOf(r), id); err != nil {
		return err
	}
	return a.answer(w, r, id)
}

// seen returns the account id in the path if the caller may view a report by that account.
func (a *Reporters) seen(r *http.Request) (string, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return "", err
	}
	filed, err := a.Queries.HasFiled(r.Context(), coverage(r), id)
	if err == nil && !filed {
		err = notFound()
	}
	return id, err
}

// mutable returns the account id in the path if the caller may also mute that account because of a
// report by it.
func (a *Reporters) mutable(r *http.Request) (string, error) {
	id, err := a.seen(r)
	if err != nil {
		return "", err
	}
	filed, err := a.Queries.HasFiled(r.Context(), callerOf(r).Coverage(permission.MuteReporters), id)
	if err == nil && !filed {
		err = forbidden("You need the permission " + permission.MuteReporters + " for a report of this account.")
	}
	return id, err
}

func (a *Reporters) answer(w http.ResponseWriter, r *http.Request, id string) error {
	found, err := a.Mutes.Find(r.Context(), id)
	return okJSON(w, found, err)
}
