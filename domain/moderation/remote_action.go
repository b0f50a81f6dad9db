package moderation

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// ErrNoRequest means that the report has no event with the request's sequence, or that the event is not a request.
var ErrNoRequest = errors.New("there is no such request for an action")

// request returns the task that sends a request to the platform that holds the content. sequence is that of the
// event which records the request.
func request(s report.State, sequence int) target.Effect {
	return target.Effect{Task: target.RemoteTask, Outbound: true, Attempts: target.RemoteAttempts, Payload: target.RemotePayload{ReportID: s.ID, Sequence: sequence}}
}

// Requests reads what DoRequested needs from the log and the accounts.
type Requests interface {
	// Load returns a report's events, oldest first.
	Load(ctx context.Context, reportID string) ([]report.Event, error)
	// Names returns the names of the accounts that exist, by id.
	Names(ctx context.Context, ids []string) (map[string]string, error)
}

// DoRequested sends a requested action or measure to the platform that holds the content and records the outcome. It is
// idempotent: it does nothing once the request has an outcome. It returns an error if the platform could not be
// reached; if last is set, it also records that as the outcome. It calls refused in the transaction that records a
// failure, to notify the actor.
func (s *Service) DoRequested(ctx context.Context, from Requests, p target.RemotePayload, last bool,
	refused func(ctx context.Context, tx pgx.Tx, event report.Event) error) error {
	events, err := from.Load(ctx, p.ReportID)
	if err != nil {
		return err
	}
	if p.Sequence < 1 || p.Sequence > len(events) {
		return ErrNoRequest
	}
	event := events[p.Sequence-1]
	asked, ok := event.Fact.(report.Request)
	if !ok {
		return ErrNoRequest
	}
	state := report.Fold(events)
	if !state.AwaitsAction(p.Sequence) {
		return nil
	}
	actor, name, err := actorOf(ctx, from, event)
	if err != nil {
		return err
	}
	r := target.RemoteRequest{MessageID: event.ID, TargetID: state.Target.ID, ReportID: event.ReportID, ActorID: domain.OrEmpty(actor), ActorName: name, At: event.OccurredAt}
	outcome, failed := s.ask(ctx, state, asked, r)
	if failed != nil {
		if !last || ctx.Err() != nil {
			return &unreached{failed}
		}
		outcome.Failed, outcome.Reason = report.ActionUnreachable, fmt.Sprintf("The platform could not be reached: %v.", failed)
	}
	_, err = s.log.Update(ctx, Ref{ReportID: p.ReportID}, actor, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
		facts := report.DecideOutcome(l.State, p.Sequence, asked, outcome)
		if len(facts) > 0 && outcome.Failed != "" {
			if err := refused(ctx, tx, askedBy(l.State, event)); err != nil {
				return Change{}, err
			}
		}
		return Change{Facts: facts}, nil
	})
	if failed != nil {
		failed = &unreached{failed}
	}
	return errors.Join(err, failed)
}

// unreached is the error of an attempt that did not reach the platform. It does not quote the platform's answer, since
// tasks store the texts of errors, where no erasure reaches them.
type unreached struct{ cause error }

func (*unreached) Error() string   { return "the platform could not be reached, or gave no valid answer" }
func (e *unreached) Unwrap() error { return e.cause }

// actorOf returns the account that requested the action, or nil once it is deleted.
func actorOf(ctx context.Context, from Requests, event report.Event) (id *string, name string, err error) {
	if event.ActorID == nil {
		return nil, "", nil
	}
	names, err := from.Names(ctx, []string{*event.ActorID})
	name, exists := names[*event.ActorID]
	if err != nil || !exists {
		return nil, "", err
	}
	return event.ActorID, name, nil
}

// askedBy returns the event whose actor is notified when a request fails: the request itself or, for a measure that
// ended by itself, the event that imposed it.
func askedBy(s report.State, event report.Event) report.Event {
	for _, m := range s.Measures {
		if event.ActorID == nil && m.ID == report.MeasureOf(event) {
			event.ActorID = m.ImposedBy
		}
	}
	return event
}

func (s *Service) ask(ctx context.Context, state report.State, asked report.Request, r target.RemoteRequest) (report.ActionOutcome, error) {
	t := state.Target
	def := s.targets.Find(t.PluginID, t.Type)
	if def == nil {
		return report.ActionOutcome{}, fmt.Errorf("the type %s is not registered", t.Type)
	}
	unknown := report.ActionOutcome{Failed: report.ActionUnknown}
	var result target.RemoteResult
	var err error
	switch asked := asked.(type) {
	case *report.ActionRequested:
		action, known := def.Action(asked.Action)
		if !known || action.Do == nil {
			unknown.Reason = fmt.Sprintf("The type %s no longer has the action %s.", t.Type, asked.Action)
			return unknown, nil
		}
		result, err = action.Do(ctx, r)
	case *report.MeasurePending:
		if def.People == nil || def.People.Do == nil {
			unknown.Reason = fmt.Sprintf("The platform of the type %s no longer carries out measures.", t.Type)
			return unknown, nil
		}
		m := target.RemoteMeasure{RemoteRequest: r, MeasureID: asked.MeasureID, AuthorID: asked.Author.ID, Kind: asked.Kind, Ends: asked.Ends}
		for _, imposed := range state.Measures {
			if imposed.ID == asked.MeasureID {
				m.Until = imposed.Until
			}
		}
		result, err = def.People.Do(ctx, m)
	}
	switch {
	case err != nil:
		return report.ActionOutcome{}, err
	case result.Refused != "":
		return report.ActionOutcome{Failed: report.ActionRefused, Reason: result.Refused}, nil
	}
	return report.ActionOutcome{Changed: result.Changed}, nil
}
