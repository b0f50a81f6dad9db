package report

import (
	"bytes"

	"github.com/docketmod/docket/domain"
)

// Decisions return the facts that a command makes of a state; none where it
// asks for what already is (contract 3.2). All facts of one decision share one
// step of the version.

// DecideClaim takes the report for the caller.
func DecideClaim(s State, caller string, expectedVersion int) ([]Fact, error) {
	if s.HeldBy(caller) {
		return nil, nil
	}
	// Before the version: the loser of a race is told the more useful fact.
	if s.Held() {
		return nil, domain.Errorf(domain.CodeAlreadyClaimed, "Somebody else holds this report.")
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	return take(s, caller, true), nil
}

// DecideAssign gives the report to somebody, who may manage it.
func DecideAssign(s State, assignee string, expectedVersion int) ([]Fact, error) {
	if s.HeldBy(assignee) {
		return nil, nil
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	return take(s, assignee, false), nil
}

// DecideUnassign puts the report back into the queue.
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

// Resolve is a decision on a report, its text already validated.
type Resolve struct {
	Resolution  Resolution
	Explanation *string
	Share       bool
}

// DecideResolve decides the report, or decides it anew.
func DecideResolve(s State, c Resolve, expectedVersion int) ([]Fact, error) {
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	return []Fact{&Resolved{Resolution: c.Resolution, Explained: c.Explanation != nil, Shared: c.Share,
		Words: ResolvedWords{Explanation: c.Explanation}}}, nil
}

// DecideReopen takes a decision back.
func DecideReopen(s State, reason string, expectedVersion int) ([]Fact, error) {
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if s.Status != Done {
		return nil, domain.Errorf(domain.CodeInvalidState, "Only a report that is done can be reopened.")
	}
	return []Fact{&Reopened{Reasoned: true, Words: ReopenedWords{Reason: &reason}}}, nil
}

// DecideAction comes before a content action runs; its fact is recorded only
// when the action changed something.
func DecideAction(s State, action string, expectedVersion int) ([]Fact, error) {
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	return []Fact{&ActionDone{Action: action, PluginID: s.Target.PluginID, TargetType: s.Target.Type, TargetID: s.Target.ID}}, nil
}

// DecideAddNote adds a note; it needs no version and changes none.
func DecideAddNote(noteID string, body NoteBody) []Fact {
	return []Fact{&NoteAdded{NoteID: noteID, Kind: body.Kind, Words: NoteWords{Body: body.JSON}}}
}

// DecideEditNote replaces a note's text. expectedVersion is checked when not nil
// and the text is another: what has been done already is safe to repeat.
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

// DecideDeleteNote deletes a note. expectedVersion is checked when not nil.
func DecideDeleteNote(s State, n Note, expectedVersion *int) ([]Fact, error) {
	if n.DeletedAt != nil {
		return nil, nil
	}
	if err := expectIfGiven(s, expectedVersion); err != nil {
		return nil, err
	}
	return []Fact{&NoteDeleted{NoteID: n.ID}}, nil
}

// DecideRemoveAccount forgets a deleted account in a report that refers to it, or has
// a note of it. To forget it twice changes nothing.
func DecideRemoveAccount(userID string) []Fact { return []Fact{&AccountRemoved{UserID: userID}} }

func take(s State, assignee string, claimed bool) []Fact {
	assigned := &Assigned{AssigneeID: &assignee, PreviousAssigneeID: s.AssigneeID, Claimed: claimed}
	if s.Status == Done {
		return []Fact{&Reopened{}, assigned}
	}
	return []Fact{assigned}
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
