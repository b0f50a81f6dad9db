package http

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

func (a *Reports) commandRoutes() []route {
	return []route{
		{http.MethodPost, "/moderation/reports/{id}/claim", moderator, with(a.manages, versioned(a.Moderation.Claim).answer)},
		{http.MethodPost, "/moderation/reports/{id}/assign", moderator, with(a.manages, command(a.assign).answer)},
		{http.MethodPost, "/moderation/reports/{id}/unassign", moderator, with(a.manages, versioned(a.Moderation.Unassign).answer)},
		{http.MethodPost, "/moderation/reports/{id}/resolve", moderator, with(a.manages, command(a.resolve).answer)},
		{http.MethodPost, "/moderation/reports/{id}/reopen", moderator, with(a.manages, command(a.reopen).answer)},
		{http.MethodPost, "/moderation/reports/{id}/escalate", moderator, with(a.manages, command(a.escalate).answer)},
		{http.MethodPost, "/moderation/reports/{id}/return", moderator, with(a.mayReturn, command(a.giveBack).answer)},
		{http.MethodPost, "/moderation/reports/{id}/actions/{action}", moderator, with(a.mayAct, versioned(a.Moderation.Act).answer)},
	}
}

func (a *Reports) assign(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error) {
	version, assignee := b.integer("expectedVersion"), b.nullableText("assigneeId")
	if assignee != nil {
		id, ok := parseUUID(*assignee)
		if !ok {
			b.fault("assigneeId", "invalid", "Must be a user id or null.")
		}
		assignee = &id
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	if assignee == nil {
		return a.Moderation.Unassign(ctx, at, version)
	}
	return a.Moderation.Assign(ctx, at, *assignee, version)
}

func (a *Reports) resolve(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error) {
	version, decision, action := b.integer("expectedVersion"), b.resolve(a.Moderation.Now()), b.optionalText("action")
	if err := b.errWith(func() ([]domain.Issue, error) { return a.Moderation.ResolveIssues(ctx, at, &decision, action) }); err != nil {
		return nil, err
	}
	return a.Moderation.Resolve(ctx, at, decision, action, version)
}

// resolve reads the fields of a resolution.
func (b *body) resolve(now time.Time) report.Resolve {
	resolution, issues := report.ParseResolution(b.text("resolution"))
	b.add(issues)
	explanation, issues := report.ParseExplanation(b.optionalText("explanation"))
	b.add(issues)
	reasons, issues := report.ParseReasons(b.raw("reasons"))
	b.add(issues)
	return report.Resolve{Resolution: resolution, Explanation: explanation, Share: b.optionalBoolean("share"),
		Policy: b.optionalPolicy("policy"), Reasons: reasons, Measures: b.measures(resolution, now)}
}

func (a *Reports) reopen(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error) {
	version := b.integer("expectedVersion")
	reason, issues := report.ParseReopenReason(b.text("reason"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return nil, err
	}
	return a.Moderation.Reopen(ctx, at, reason, version)
}

func (a *Reports) escalate(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error) {
	version := b.integer("expectedVersion")
	var to *string
	if text := b.text("to"); text != moderation.Leads {
		id, ok := parseUUID(text)
		if !ok {
			b.fault("to", "invalid", "Must be a user id or leads.")
		}
		to = &id
	}
	note, issues := report.ParseEscalationNote(b.text("note"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return nil, err
	}
	return a.Moderation.Escalate(ctx, at, to, note, version)
}

func (a *Reports) giveBack(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error) {
	version := b.integer("expectedVersion")
	note, issues := report.ParseReturnNote(b.optionalText("note"))
	b.add(issues)
	if err := b.Err(); err != nil {
		return nil, err
	}
	return a.Moderation.Return(ctx, at, note, version)
}

func (a *Reports) mayReturn(r *http.Request) (*moderation.Authorized, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return nil, err
	}
	return a.Moderation.AuthorizeReturn(r.Context(), callerOf(r), id)
}

func (a *Reports) views(r *http.Request) (*moderation.Authorized, error) {
	return a.authorize(r, "")
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

// command runs a command on the report of a request and returns the report to respond with.
type command func(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error)

// versioned is a command whose body has only the expected version.
func versioned(run func(ctx context.Context, at *moderation.Authorized, expectedVersion int) (*moderation.Report, error)) command {
	return func(ctx context.Context, b *body, at *moderation.Authorized) (*moderation.Report, error) {
		version := b.integer("expectedVersion")
		if err := b.Err(); err != nil {
			return nil, err
		}
		return run(ctx, at, version)
	}
}

// answer responds with the report after the command, and with 202 if the decision was held. 404 and 403 come before
// faults of the body.
func (c command) answer(w http.ResponseWriter, r *http.Request, at *moderation.Authorized) error {
	view, err := c(r.Context(), readBody(w, r), at)
	if err != nil {
		return err
	}
	return writeJSON(w, heldStatus(view.Holds), view)
}
