package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/statement"
)

// A decision returns the facts that a command adds to a state. It returns none if the
// state is already as requested, which makes repeated requests safe. All facts of one
// decision raise the version by one together.

// DecideFiling opens a report and sets its deadline.
func DecideFiling(filed Created, deadlines Deadlines, now time.Time) *Created {
	filed.DueAt = deadlines.After(filed.Reason, now)
	return &filed
}

// DecideClaim assigns the report to the caller.
func DecideClaim(s State, caller string, expectedVersion int) ([]Fact, error) {
	if s.HeldBy(caller) {
		return nil, nil
	}
	// In a race, this error is more useful to the loser than a version conflict.
	if s.Held() {
		return nil, domain.Errorf(domain.CodeAlreadyClaimed, "Somebody else holds this report.")
	}
	return take(s, caller, caller, true, expectedVersion)
}

// DecideAssign assigns the report to a user, who must be allowed to manage it.
func DecideAssign(s State, caller, assignee string, expectedVersion int) ([]Fact, error) {
	if s.HeldBy(assignee) {
		return nil, nil
	}
	return take(s, caller, assignee, false, expectedVersion)
}

// DecideUnassign returns the report to the queue.
func DecideUnassign(s State, expectedVersion int) ([]Fact, error) {
	if s.Status != Done && s.AssigneeID == nil {
		return nil, nil
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if s.Status == Done {
		return nil, domain.Errorf(domain.CodeInvalidState, "This report is done: reopen it before you unassign it.")
	}
	return []Fact{&Assigned{PreviousAssigneeID: s.AssigneeID}}, nil
}

// DecideLapse releases a report whose assignee has not touched it for too long. It does nothing if an event has
// followed the given one.
func DecideLapse(s State, sequence int) []Fact {
	if !s.Held() || s.Sequence != sequence {
		return nil
	}
	return []Fact{&Assigned{PreviousAssigneeID: s.AssigneeID, Lapsed: true}}
}

// Resolve is the input of DecideResolve. Its texts are validated.
type Resolve struct {
	Resolution  Resolution
	Explanation *string
	Share       bool
	Policy      *policy.Ref // a version in force
	Ground      statement.Ground
	Reasons     json.RawMessage // see ParseReasons
	// AppealFor is how long the decision can be appealed; 0 means that it cannot.
	AppealFor time.Duration
	// DecisionID is shared by decisions on several reports that are made together; else "".
	DecisionID string
	// SecondKey is set if the policy needs a second person to release the decision; ReleasedBy is who did.
	SecondKey  bool
	ReleasedBy string
	// Measures are the measures of the decision, without their policy.
	Measures []MeasureImposed
}

// WithoutMeasures returns the decision as the other reports record it when several are decided as one: only the first
// has the measures.
func (c Resolve) WithoutMeasures() *Resolve {
	c.Measures = nil
	return &c
}

// DecideResolve records a decision, also on a report that is already done.
func DecideResolve(s State, caller string, c Resolve, expectedVersion int) ([]Fact, error) {
	closed, err := replace(s, caller, &c, expectedVersion)
	if err != nil {
		return nil, err
	}
	imposed, err := impose(s, c)
	if err != nil {
		return nil, err
	}
	return slices.Concat(closed, []Fact{&Resolved{Resolution: c.Resolution, Explained: c.Explanation != nil, Shared: c.Share,
		Policy: c.Policy, Ground: c.Ground, Reasoned: c.Reasons != nil, DecisionID: c.DecisionID, AppealFor: c.AppealFor, ReleasedBy: c.ReleasedBy,
		Words: ResolvedWords{Explanation: c.Explanation, Reasons: c.Reasons}}}, imposed), nil
}

// DecideReopen revokes a decision.
func DecideReopen(s State, caller, reason string, expectedVersion int) ([]Fact, error) {
	closed, err := replace(s, caller, nil, expectedVersion)
	if err != nil {
		return nil, err
	}
	if s.Status != Done {
		return nil, domain.Errorf(domain.CodeInvalidState, "Only a report that is done can be reopened.")
	}
	return append(closed, &Reopened{Reasoned: true, Words: ReopenedWords{Reason: &reason}}), nil
}

// CheckAction is called before an action on the content runs, or is requested if the content lives elsewhere.
// While another request is pending, a moderator cannot make one.
func (s *State) CheckAction(elsewhere bool, expectedVersion int) error {
	if err := s.expectToDecide(expectedVersion); err != nil || !elsewhere {
		return err
	}
	return s.CheckNoAction()
}

// ActionOn returns the fact of an action on the report's target. undoes is the action that it takes back, or "".
func ActionOn(s State, action, undoes string) *ActionDone {
	return &ActionDone{Action: action, PluginID: s.Target.PluginID, TargetType: s.Target.Type, TargetID: s.Target.ID, Undoes: undoes}
}

// DecideAddNote adds a note. It neither checks nor changes the version.
func DecideAddNote(noteID string, body NoteBody) []Fact {
	return []Fact{&NoteAdded{NoteID: noteID, Kind: body.Kind, Words: NoteWords{Body: body.JSON}}}
}

// DecideEditNote replaces a note's text. expectedVersion is checked if it is not nil and
// the text differs, so that a repeated request is safe.
func DecideEditNote(s State, n Note, body NoteBody, expectedVersion *int) ([]Fact, error) {
	if n.DeletedAt == nil && n.Kind == body.Kind && bytes.Equal(n.Body, body.JSON) {
		return nil, nil
	}
	if err := expectIfGiven(s, expectedVersion); err != nil {
		return nil, err
	}
	if n.DeletedAt != nil {
		return nil, domain.Errorf(domain.CodeInvalidState, "This note is deleted and can no longer be edited.")
	}
	return []Fact{&NoteUpdated{NoteID: n.ID, Kind: body.Kind, Words: NoteWords{Body: body.JSON}}}, nil
}

// DecideDeleteNote deletes a note. expectedVersion is checked if it is not nil.
func DecideDeleteNote(s State, n Note, expectedVersion *int) ([]Fact, error) {
	if n.DeletedAt != nil {
		return nil, nil
	}
	if err := expectIfGiven(s, expectedVersion); err != nil {
		return nil, err
	}
	return []Fact{&NoteDeleted{NoteID: n.ID}}, nil
}

// DecideRemoveAccount removes a deleted account from a report that refers to it or has a
// note by it. Removing it twice changes nothing.
func DecideRemoveAccount(userID string) []Fact { return []Fact{&AccountRemoved{UserID: userID}} }

// take assigns the report and reopens it if it is done.
func take(s State, caller, assignee string, claimed bool, expectedVersion int) ([]Fact, error) {
	facts, err := replace(s, caller, nil, expectedVersion)
	if err != nil {
		return nil, err
	}
	if s.Status == Done {
		facts = append(facts, &Reopened{})
	}
	return append(facts, &Assigned{AssigneeID: &assignee, PreviousAssigneeID: s.AssigneeID, Claimed: claimed}), nil
}

func expect(s State, version int) error {
	if s.Version != version {
		return domain.Errorf(domain.CodeConflict, "The report has changed since you read it.")
	}
	return nil
}

func expectIfGiven(s State, version *int) error {
	if version == nil {
		return nil
	}
	return expect(s, *version)
}
