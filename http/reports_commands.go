package http

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

func (a *Reports) claim(w http.ResponseWriter, r *http.Request) error {
	return a.command(w, r, a.manages, func(b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version := b.integer("expectedVersion")
		if err := b.Err(); err != nil {
			return nil, err
		}
		return a.Moderation.Claim(r.Context(), at, version)
	})
}

func (a *Reports) assign(w http.ResponseWriter, r *http.Request) error {
	return a.command(w, r, a.manages, func(b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version, assignee := b.integer("expectedVersion"), b.nullableText("assigneeId")
		if assignee != nil {
			id, ok := parseUUID(*assignee)
			if !ok {
				b.add([]domain.Issue{{Path: "assigneeId", Code: "invalid", Message: "Must be a user id or null."}})
			}
			assignee = &id
		}
		if err := b.Err(); err != nil {
			return nil, err
		}
		if assignee == nil {
			return a.Moderation.Unassign(r.Context(), at, version)
		}
		return a.Moderation.Assign(r.Context(), at, *assignee, version)
	})
}

func (a *Reports) unassign(w http.ResponseWriter, r *http.Request) error {
	return a.command(w, r, a.manages, func(b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version := b.integer("expectedVersion")
		if err := b.Err(); err != nil {
			return nil, err
		}
		return a.Moderation.Unassign(r.Context(), at, version)
	})
}

func (a *Reports) resolve(w http.ResponseWriter, r *http.Request) error {
	return a.command(w, r, a.manages, func(b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version, decision := b.integer("expectedVersion"), b.resolve()
		if err := b.Err(); err != nil {
			return nil, err
		}
		return a.Moderation.Resolve(r.Context(), at, decision, version)
	})
}

// resolve reads the fields of a resolution.
func (b *body) resolve() report.Resolve {
	resolution, issues := report.ParseResolution(b.text("resolution"))
	b.add(issues)
	explanation, issues := report.ParseExplanation(b.optionalText("explanation"))
	b.add(issues)
	reasons, issues := report.ParseReasons(b.raw("reasons"))
	b.add(issues)
	return report.Resolve{Resolution: resolution, Explanation: explanation, Share: b.optionalBoolean("share"),
		Policy: b.optionalPolicy("policy"), Reasons: reasons}
}

func (a *Reports) reopen(w http.ResponseWriter, r *http.Request) error {
	return a.command(w, r, a.manages, func(b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version := b.integer("expectedVersion")
		reason, issues := report.ParseReopenReason(b.text("reason"))
		b.add(issues)
		if err := b.Err(); err != nil {
			return nil, err
		}
		return a.Moderation.Reopen(r.Context(), at, reason, version)
	})
}

func (a *Reports) act(w http.ResponseWriter, r *http.Request) error {
	return a.command(w, r, a.mayAct, func(b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version := b.integer("expectedVersion")
		if err := b.Err(); err != nil {
			return nil, err
		}
		return a.Moderation.Act(r.Context(), at, version)
	})
}

func (a *Reports) manages(r *http.Request) (*moderation.Authorized, error) {
	return a.authorize(r, permission.ManageReports)
}

func (a *Reports) mayAct(r *http.Request) (*moderation.Authorized, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return nil, err
	}
	return a.Moderation.AuthorizeAction(r.Context(), callerOf(r), id, mux.Vars(r)["action"])
}

// command answers a command with the report. 404 and 403 come before faults of the body.
func (a *Reports) command(w http.ResponseWriter, r *http.Request, authorize func(*http.Request) (*moderation.Authorized, error),
	run func(*body, *moderation.Authorized) (*moderation.Report, error)) error {
	at, err := authorize(r)
	if err != nil {
		return err
	}
	b := readBody(w, r)
	view, err := run(b, at)
	return okJSON(w, view, err)
}
