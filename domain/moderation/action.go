package moderation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

const (
	// actionTimeout bounds a content action inside a command.
	actionTimeout = 5 * time.Second
	// maxEvent bounds the payload of a plugin's event, in bytes. Brokers accept up to a megabyte, and an event that
	// they refuse would block those behind it.
	maxEvent = 256 << 10
)

// AuthorizeAction is Authorize for a content action. It returns NotFound if the target
// has no such action, and Forbidden if the caller lacks the action's permission.
func (s *Service) AuthorizeAction(ctx context.Context, c *permission.Caller, reportID, name string) (*Authorized, error) {
	a, err := s.Authorize(ctx, c, reportID, permission.ManageReports)
	if err != nil {
		return nil, err
	}
	if a.action, a.undoes, err = s.permittedAction(c, a.Report, name); err != nil {
		return nil, err
	}
	return a, nil
}

// authorizeDecision is AuthorizeAction if there is an action, or else Authorize for managing the report.
func (s *Service) authorizeDecision(ctx context.Context, c *permission.Caller, reportID string, action *string) (*Authorized, error) {
	if action == nil {
		return s.Authorize(ctx, c, reportID, permission.ManageReports)
	}
	return s.AuthorizeAction(ctx, c, reportID, *action)
}

// permittedAction returns an action on the target of a report, and the name of the action that it
// undoes, or "". Its errors are those that AuthorizeAction adds to Authorize.
func (s *Service) permittedAction(c *permission.Caller, r *Stored, name string) (a target.Action, undoes string, err error) {
	def := s.targets.Find(r.Target.PluginID, r.Target.Type)
	a, known := def.Action(name)
	if !known {
		return a, "", domain.NotFound()
	}
	if !allows(c, r, a.Permission) {
		return a, "", domain.Errorf(domain.CodeForbidden, "You need the permission %s for this action.", a.Permission)
	}
	return a, def.Undoes(name), nil
}

// Act runs a content action inside the report's transaction, after the stream is locked, or holds it if it needs a
// second person. An action that changes nothing is not recorded; if it fails, the whole command is rolled back.
func (s *Service) Act(ctx context.Context, a *Authorized, expectedVersion int) (*Report, error) {
	state, err := s.stateForAction(ctx, a)
	if err != nil {
		return nil, err
	}
	if a.action.SecondKey {
		return s.hold(ctx, a, report.Hold{Action: a.action.Name}, state, expectedVersion)
	}
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(ctx context.Context, tx pgx.Tx, l Loaded) (change Change, err error) {
		err = a.act(ctx, tx, l, state, expectedVersion, &change)
		return change, err
	})
}

// stateForAction returns the target's present state, as an action needs it.
func (s *Service) stateForAction(ctx context.Context, a *Authorized) (*target.State, error) {
	if a.targetErr != nil {
		return nil, unreachable(a.targetErr)
	}
	state, err := s.current(target.NotBefore(ctx, a.since), a.Report)
	if err != nil {
		return nil, unreachable(err)
	}
	return state, nil
}

// act adds the authorized action on the report that was loaded to a change.
func (a *Authorized) act(ctx context.Context, tx pgx.Tx, l Loaded, state *target.State, expectedVersion int, change *Change) error {
	if err := l.State.CheckAction(a.action.Do != nil, expectedVersion); err != nil {
		return err
	}
	if err := a.fits(state); err != nil {
		return err
	}
	_, err := take(ctx, tx, &a.Caller.UserID, l, a.action, a.undoes, "", change)
	return err
}

// fits returns action_unavailable if the target's present state does not allow the authorized
// action.
func (a *Authorized) fits(state *target.State) error {
	if state == nil {
		return domain.Errorf(domain.CodeActionUnavailable, "The content has been deleted.")
	}
	if !state.Actions[a.action.Name] {
		return domain.Errorf(domain.CodeActionUnavailable, "The action %s is not available in the content's current state.", a.action.Name)
	}
	return nil
}

// unreachable returns a command's error when the target's plugin did not answer.
func unreachable(err error) error {
	return &domain.Error{Code: domain.CodeUnavailable, Message: "The content cannot be reached at the moment; try again shortly.", Cause: err}
}

// actionFailed returns the error of an action that failed. It says whether a retry may help.
func actionFailed(err error) error {
	var server interface{ SQLState() string }
	busy := errors.Is(err, context.DeadlineExceeded) || // or a lock timeout, a deadlock, a serialization failure
		errors.As(err, &server) && slices.Contains([]string{"55P03", "40P01", "40001"}, server.SQLState())
	message := "The action failed; nothing was changed."
	if busy {
		message = "The content was in use for too long, so the action failed and nothing was changed; try again shortly."
	}
	return &domain.Error{Code: domain.CodeActionFailed, Message: message, Cause: err}
}

// runAction runs an action of a target type with a deadline. It forces deferred constraints and
// triggers of the database to run at once.
func runAction(ctx context.Context, targetType string, a target.Action, r target.ActionRequest) (result target.ActionResult, err error) {
	ctx, cancel := context.WithTimeout(ctx, actionTimeout)
	defer cancel()
	err = call.Safely("action", targetType+" "+a.Name, func() (err error) {
		if result, err = a.Run(ctx, r); err != nil {
			return err
		}
		if err := encodePayloads(result.Effects); err != nil {
			return err
		}
		for i := range result.Events {
			if !event.ValidPluginName(result.Events[i].Name) {
				return fmt.Errorf("publish the event %.200q: the name of a plugin's event begins with content. and has words of letters, digits, _ and - between dots", result.Events[i].Name)
			}
			raw, err := json.Marshal(result.Events[i].Payload)
			if err != nil {
				return fmt.Errorf("encode the event %s: %w", result.Events[i].Name, err)
			}
			if len(raw) > maxEvent {
				return fmt.Errorf("publish the event %s: its payload has %d bytes of JSON, and at most %d are allowed", result.Events[i].Name, len(raw), maxEvent)
			}
			result.Events[i].Payload = json.RawMessage(raw)
		}
		return nil
	})
	if err != nil || !result.Changed {
		return result, err
	}
	_, err = r.Tx.Exec(ctx, "SET CONSTRAINTS ALL IMMEDIATE")
	return result, err
}

// encodePayloads encodes the payloads of a plugin's effects as JSON.
func encodePayloads(effects []target.Effect) error {
	for i := range effects {
		raw, err := json.Marshal(effects[i].Payload)
		if err != nil {
			return fmt.Errorf("encode the payload of %s: %w", effects[i].Task, err)
		}
		effects[i].Payload = json.RawMessage(raw)
	}
	return nil
}
