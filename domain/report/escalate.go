package report

import (
	"time"

	"github.com/docketmod/docket/domain"
)

// The types of events about escalation.
const (
	EscalatedType Type = "escalated"
	ReturnedType  Type = "returned"
)

// Escalated records that a moderator handed the report to somebody else. If it was claimed, an Assigned that releases
// it follows.
type Escalated struct {
	// To is the account that is to decide; nil means the leads.
	To *string `json:"toUserId"`
	// From is the last assignee, to whom the report goes when it is returned; nil if there was
	// none.
	From  *string        `json:"fromUserId"`
	Words EscalatedWords `json:"-"`
}

// EscalatedWords is the evidence of Escalated.
type EscalatedWords struct {
	Note string `json:"note"`
}

// Returned ends an escalation without a decision. If the report goes back to its former assignee, an Assigned follows.
type Returned struct {
	Noted bool          `json:"noted"`
	Words ReturnedWords `json:"-"`
}

// ReturnedWords is the evidence of Returned.
type ReturnedWords struct {
	Note *string `json:"note"`
}

// EventType implements Fact.
func (*Escalated) EventType() Type { return EscalatedType }

// EventType implements Fact.
func (*Returned) EventType() Type { return ReturnedType }

func (f *Escalated) words() any { return &f.Words }
func (f *Returned) words() any  { return &f.Words }

// Escalation says to whom an open report is escalated. It lasts, also while somebody has claimed the report, until the
// report is decided or returned.
type Escalation struct {
	To       *string   `json:"-"`        // nil means the leads, also once the account is deleted
	From     *string   `json:"from"`     // nil once the account is deleted
	By       *string   `json:"by"`       // nil once the account is deleted
	At       time.Time `json:"at"`       // of its event
	Sequence int       `json:"sequence"` // of its event, which has the note
}

// DecideEscalate hands the report to an account that may work on it, or to the leads if to is nil. A repeated request
// changes nothing.
func DecideEscalate(s State, caller string, to *string, note string, expectedVersion int) ([]Fact, error) {
	if e := s.Escalation; e != nil && !s.Held() && same(e.By, &caller) && same(e.To, to) {
		return nil, nil
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if s.Status == Done {
		return nil, domain.Errorf(domain.CodeInvalidState, "This report is done: reopen it before you escalate it.")
	}
	if err := s.CheckNothingHeld(); err != nil {
		return nil, err // a held decision must be released instead
	}
	escalated := &Escalated{To: to, From: s.AssigneeID, Words: EscalatedWords{Note: note}}
	if !s.Held() {
		if s.Escalation != nil {
			escalated.From = s.Escalation.From
		}
		return []Fact{escalated}, nil
	}
	return []Fact{escalated, &Assigned{PreviousAssigneeID: s.AssigneeID}}, nil
}

// DecideReturn ends an escalation and hands the report back to its former assignee, if they may still work on it.
// Returning an open report that is not escalated changes nothing.
func DecideReturn(s State, mayWork func(userID string) bool, note *string, expectedVersion int) ([]Fact, error) {
	if s.Status != Done && s.Escalation == nil {
		return nil, nil
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if s.Status == Done {
		return nil, domain.Errorf(domain.CodeInvalidState, "This report is done, which has ended its escalation.")
	}
	facts := []Fact{&Returned{Noted: note != nil, Words: ReturnedWords{Note: note}}}
	back := s.Escalation.From
	if back != nil && !mayWork(*back) {
		back = nil
	}
	if !same(back, s.AssigneeID) {
		facts = append(facts, &Assigned{AssigneeID: back, PreviousAssigneeID: s.AssigneeID})
	}
	return facts, nil
}

// without returns the escalation without a deleted account. One to that account becomes one to the leads.
func (e *Escalation) without(f *AccountRemoved) *Escalation {
	if e == nil {
		return nil
	}
	left := *e
	left.To, left.From, left.By = unlessRemoved(e.To, f), unlessRemoved(e.From, f), unlessRemoved(e.By, f)
	return &left
}
