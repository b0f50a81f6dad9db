package report

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

// Role is how a decision affects an account.
type Role string

// The roles. An author appeals action_taken, a reporter no_violation.
const (
	Author   Role = "author"
	Reporter Role = "reporter"
)

// Appealable reports whether the role may appeal decisions with the resolution.
func (r Role) Appealable(resolution Resolution) bool {
	return r == Author && resolution == ActionTaken || r == Reporter && resolution == NoViolation
}

// AppealStatus is the status of an appeal.
type AppealStatus string

// The statuses of an appeal.
const (
	AppealOpen       AppealStatus = "open"
	AppealUpheld     AppealStatus = "upheld"     // the decision stands
	AppealOverturned AppealStatus = "overturned" // it does not
)

// AppealStatuses lists every status of an appeal.
var AppealStatuses = []AppealStatus{AppealOpen, AppealUpheld, AppealOverturned}

// Appeal is an appeal without its texts, which only the log has.
type Appeal struct {
	ID          string       `json:"id"`
	ReportID    string       `json:"reportId"`
	By          Role         `json:"by"`
	AppellantID *string      `json:"appellantId"` // nil once the account is deleted
	Status      AppealStatus `json:"status"`
	Decision    int          `json:"decision"` // the sequence of the decision that is appealed
	Sequence    int          `json:"sequence"` // of the event with the text
	CreatedAt   time.Time    `json:"createdAt"`

	DecidedSequence int        `json:"decidedSequence,omitempty"` // of the event with the reply; 0 while open
	DecidedAt       *time.Time `json:"decidedAt,omitempty"`
	DeciderID       *string    `json:"deciderId,omitempty"`
	Superseded      bool       `json:"superseded,omitempty"` // closed because the decision was replaced
}

// Appealed records an appeal of the present decision.
type Appealed struct {
	AppealID string      `json:"appealId"`
	By       Role        `json:"by"`
	Words    AppealWords `json:"-"`
}

// AppealWords is the evidence of Appealed.
type AppealWords struct {
	Text string `json:"text"`
}

// AppealDecided closes an appeal.
type AppealDecided struct {
	AppealID string       `json:"appealId"`
	By       Role         `json:"by"`
	Outcome  AppealStatus `json:"outcome"`
	// Superseded is set if another change replaced the decision. There is no reply then.
	Superseded bool `json:"superseded,omitempty"`
	// UndosFollow is set if each action that was undone has a fact of its own. Older events
	// do not set it: overturning by them counts every action as undone.
	UndosFollow bool               `json:"undosFollow,omitempty"`
	Words       AppealDecidedWords `json:"-"`
}

// AppealDecidedWords is the evidence of AppealDecided.
type AppealDecidedWords struct {
	Reply *string `json:"reply"`
}

// EventType implements Fact.
func (*Appealed) EventType() Type      { return AppealedType }
func (*AppealDecided) EventType() Type { return AppealDecidedType }

func (f *Appealed) words() any      { return &f.Words }
func (f *AppealDecided) words() any { return &f.Words }

// DecideAppeal appeals the present decision. The caller must have checked that the account has the
// role.
func DecideAppeal(s State, by Role, appealID, text string, now time.Time) ([]Fact, error) {
	d := s.Decision
	if d != nil && slices.ContainsFunc(d.Appeals, func(a Appeal) bool { return a.By == by }) {
		return nil, domain.Errorf(domain.CodeAlreadyAppealed, "This decision has been appealed already.")
	}
	if s.Status != Done || d == nil || !by.Appealable(*s.Resolution) || d.AppealableUntil == nil || !now.Before(*d.AppealableUntil) {
		return nil, domain.Errorf(domain.CodeAppealClosed, "This decision can no longer be appealed.")
	}
	return []Fact{&Appealed{AppealID: appealID, By: by, Words: AppealWords{Text: text}}}, nil
}

// CheckAppealDecision returns the open appeal that the caller wants to decide. Nobody may decide
// their own appeal, or one of their own decision.
func CheckAppealDecision(s State, appealID, caller string, expectedVersion int) (Appeal, error) {
	var appeal Appeal // stays zero if the decision has no such appeal
	if s.Decision != nil {
		for _, a := range s.Decision.Appeals {
			if a.ID == appealID {
				appeal = a
			}
		}
	}
	if appeal.ID != "" && s.MadeBy(caller) {
		return Appeal{}, domain.Errorf(domain.CodeOwnDecision, "You made this decision, so somebody else must decide its appeal.")
	}
	if same(appeal.AppellantID, &caller) {
		return Appeal{}, domain.Errorf(domain.CodeOwnDecision, "This is your own appeal, so somebody else must decide it.")
	}
	if err := expect(s, expectedVersion); err != nil {
		return Appeal{}, err
	}
	if appeal.Status != AppealOpen {
		return Appeal{}, domain.Errorf(domain.CodeInvalidState, "This appeal has been decided already.")
	}
	return appeal, nil
}

// DecideUphold closes the appeal; the decision stands.
func DecideUphold(a Appeal, reply string) []Fact {
	return []Fact{&AppealDecided{AppealID: a.ID, By: a.By, Outcome: AppealUpheld, Words: AppealDecidedWords{Reply: &reply}}}
}

// DecideOverturn closes the appeal and replaces the decision. If the author appealed, the new
// decision is no violation; undone are the facts that undo the standing actions, and appealFor is how
// long the new decision can be appealed. If the reporter appealed, the report is new and unassigned.
func DecideOverturn(s State, a Appeal, reply string, undone []Fact, appealFor time.Duration) []Fact {
	facts := []Fact{&AppealDecided{AppealID: a.ID, By: a.By, Outcome: AppealOverturned, UndosFollow: true, Words: AppealDecidedWords{Reply: &reply}}}
	if a.By == Author {
		return slices.Concat(facts, undone, endMeasures(s), []Fact{&Resolved{Resolution: NoViolation, AppealFor: appealFor}})
	}
	facts = append(append(facts, endMeasures(s)...), &Reopened{})
	if s.AssigneeID != nil {
		facts = append(facts, &Assigned{PreviousAssigneeID: s.AssigneeID})
	}
	return facts
}

// EvolveAppeal returns an appeal after an event about it, or about one of its accounts.
func EvolveAppeal(a Appeal, decision int, e Event) Appeal {
	switch f := e.Fact.(type) {
	case *Appealed:
		a = Appeal{ID: f.AppealID, ReportID: e.ReportID, By: f.By, AppellantID: e.ActorID, Status: AppealOpen,
			Decision: decision, Sequence: e.Sequence, CreatedAt: e.OccurredAt}
	case *AppealDecided:
		a.Status, a.Superseded = f.Outcome, f.Superseded
		a.DecidedSequence, a.DecidedAt, a.DeciderID = e.Sequence, &e.OccurredAt, e.ActorID
	case *AccountRemoved:
		a.AppellantID, a.DeciderID = unlessRemoved(a.AppellantID, f), unlessRemoved(a.DeciderID, f)
	}
	return a
}

// appealed returns the state after an event about an appeal of the present decision.
func appealed(s State, e Event) State {
	if s.Decision == nil {
		return s
	}
	d := *s.Decision
	d.Appeals = slices.Clone(d.Appeals)
	switch f := e.Fact.(type) {
	case *Appealed:
		d.Appeals = append(d.Appeals, EvolveAppeal(Appeal{}, d.Sequence, e))
	case *AppealDecided:
		for i := range d.Appeals {
			if d.Appeals[i].ID == f.AppealID {
				d.Appeals[i] = EvolveAppeal(d.Appeals[i], d.Sequence, e)
			}
		}
		if f.Outcome == AppealOverturned && f.By == Author && !f.Superseded && !f.UndosFollow {
			s.Standing = nil
		}
	case *AccountRemoved:
		d.Makers = slices.DeleteFunc(slices.Clone(d.Makers), func(id string) bool { return id == f.UserID })
		if d.ReleasedBy == f.UserID {
			d.ReleasedBy = ""
		}
		for i := range d.Appeals {
			d.Appeals[i] = EvolveAppeal(d.Appeals[i], d.Sequence, e)
		}
	}
	s.Decision = &d
	if len(d.Makers) == 0 || len(s.openAppeals()) == 0 {
		d.Makers = nil
	}
	return s
}

// CheckReplacement returns CodeOwnDecision if the caller made the decision and its appeal is open:
// nobody may replace their own appealed decision.
func CheckReplacement(s State, caller string) error {
	if len(s.openAppeals()) > 0 && s.MadeBy(caller) {
		return domain.Errorf(domain.CodeOwnDecision, "You made this decision and its appeal is open, so somebody else must decide.")
	}
	return nil
}

// replace checks a command that replaces the present decision, if there is one. It returns the
// facts that close the open appeals, as overturned since their decision no longer stands, and that
// end the measures. A decision with the same outcome leaves appeals open. with is nil if the report
// is reopened or reassigned.
func replace(s State, caller string, with *Resolve, expectedVersion int) ([]Fact, error) {
	if err := CheckReplacement(s, caller); err != nil {
		return nil, err
	}
	if err := expect(s, expectedVersion); err != nil {
		return nil, err
	}
	if with != nil || s.Status == Done {
		if err := s.CheckNothingHeld(); err != nil {
			return nil, err
		}
	}
	ends := endMeasures(s)
	if with != nil && s.Decision != nil && with.Resolution == *s.Resolution && same(with.Policy, s.Decision.Policy) {
		return ends, nil
	}
	var facts []Fact
	for _, a := range s.openAppeals() {
		facts = append(facts, &AppealDecided{AppealID: a.ID, By: a.By, Outcome: AppealOverturned, Superseded: true})
	}
	return append(facts, ends...), nil
}
