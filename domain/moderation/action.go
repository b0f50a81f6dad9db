package moderation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// AuthorizeAction is Authorize for a content action: NotFound when the target
// has no such action, Forbidden without its permission.
func (s *Service) AuthorizeAction(ctx context.Context, c *permission.Caller, reportID, name string) (*Authorized, error) {
	a, err := s.Authorize(ctx, c, reportID, permission.ManageReports)
	if err != nil {
		return nil, err
	}
	def := s.targets.Find(a.Report.Target.PluginID, a.Report.Target.Type)
	if def == nil {
		return nil, domain.NotFound()
	}
	var known bool
	if a.action, known = def.Action(name); !known {
		return nil, domain.NotFound()
	}
	if !allows(c, a.Report, a.action.Permission) {
		return nil, domain.Errorf(domain.CodeForbidden, "You need the permission %s for this action.", a.action.Permission)
	}
	return a, nil
}

// Act runs a content action inside the report's transaction, after its stream
// lock. One that changes nothing records nothing; one that fails rolls all back.
func (s *Service) Act(ctx context.Context, a *Authorized, expectedVersion int) (*Report, error) {
	if a.unasked != nil {
		return nil, unreachable(a.unasked)
	}
	state, err := s.current(ctx, a.Report)
	if err != nil {
		return nil, unreachable(err)
	}
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
		facts, err := report.DecideAction(l.State, a.action.Name, expectedVersion)
		if err != nil {
			return Change{}, err
		}
		if state == nil {
			return Change{}, domain.Errorf(domain.CodeActionUnavailable, "The content is gone.")
		}
		if !a.action.Available(*state) {
			return Change{}, domain.Errorf(domain.CodeActionUnavailable, "The action %s does not fit the content's present state.", a.action.Name)
		}
		result, err := runAction(ctx, a.action, target.ActionRequest{ActorID: a.Caller.UserID, TargetID: l.State.Target.ID, At: l.Now, Tx: tx})
		if err != nil {
			return Change{}, &domain.Error{Code: domain.CodeActionFailed, Message: whyFailed(err), Cause: err}
		}
		if !result.Changed {
			return Change{}, nil
		}
		return Change{Facts: facts, PluginID: l.State.Target.PluginID, Events: result.Events, Effects: result.Effects}, nil
	})
}

// unreachable is the error of what needs a plugin that cannot be asked.
func unreachable(err error) error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The content cannot be reached at present; try again shortly.", Cause: err}
}

// whyFailed tells a moderator whether to try again.
func whyFailed(err error) string {
	var server interface{ SQLState() string }
	busy := errors.Is(err, context.DeadlineExceeded) || // or a lock waited for, a deadlock, a conflict
		errors.As(err, &server) && slices.Contains([]string{"55P03", "40P01", "40001"}, server.SQLState())
	if busy {
		return "The content was in use for too long, so the action failed and nothing was changed; try again shortly."
	}
	return "The action failed; nothing was changed."
}

// runAction bounds the run and turns a panic into a failure of it. What the database
// would check at the commit, such as a deferred trigger, it checks now.
func runAction(ctx context.Context, a target.Action, r target.ActionRequest) (result target.ActionResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, actionTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("action %s panicked: %v", a.Name, p)
		}
	}()
	if result, err = a.Run(ctx, r); err != nil || !result.Changed {
		return result, err
	}
	_, err = r.Tx.Exec(ctx, "SET CONSTRAINTS ALL IMMEDIATE")
	return result, err
}
