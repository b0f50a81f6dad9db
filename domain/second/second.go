package second

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// Status is the status of a second opinion.
type Status string

// The statuses of a second opinion. The second person agrees or disputes, and a third one settles.
const (
	Waiting  Status = "drawn"
	Agreed   Status = "agreed"
	Disputed Status = "disputed"
	Settled  Status = "settled"
)

// Statuses lists every status.
var Statuses = []Status{Waiting, Agreed, Disputed, Settled}

// Verdict is one person's decision.
type Verdict struct {
	By         *string
	Resolution report.Resolution
	Policy     *policy.Ref // nil if they named none
	At         time.Time
}

// Agrees reports whether two people decided the same: the same outcome, and the same policy in any version if both cite
// one.
func (v *Verdict) Agrees(with *Verdict) bool {
	return v.Resolution == with.Resolution && (v.Policy == nil || with.Policy == nil || v.Policy.Key == with.Policy.Key)
}

func (v *Verdict) by(userID string) bool { return v != nil && v.By != nil && *v.By == userID }

// Second is a drawn decision with its second opinion and settlement.
type Second struct {
	ID, ReportID string
	Decision     string // the id of its event
	First        Verdict
	Second       *Verdict // nil before the second decision
	Agreed       bool
	Settled      *Settlement
}

// Settlement is a third person's ruling.
type Settlement struct {
	By     *string
	Stands bool
	At     time.Time
}

// Of returns the second opinion on the drawn decision of event e, with no answer yet.
func Of(e report.Event) Second {
	f := e.Fact.(*report.Resolved)
	return Second{ID: ID(e.ID, ""), ReportID: e.ReportID, Decision: e.ID, First: Verdict{e.ActorID, f.Resolution, f.Policy, e.OccurredAt}}
}

// Evolve returns the second opinion after an event of its report. Events about golden ones or other decisions change
// nothing.
func (s Second) Evolve(e report.Event) Second {
	switch f := e.Fact.(type) {
	case *report.SecondDecided:
		if f.SecondID == s.ID {
			s.Second, s.Agreed = &Verdict{e.ActorID, f.Resolution, f.Policy, e.OccurredAt}, f.Agreed
		}
	case *report.SecondSettled:
		if f.SecondID == s.ID {
			s.Settled = &Settlement{e.ActorID, f.Stands, e.OccurredAt}
		}
	}
	return s
}

// Status returns the stage that the second opinion has reached.
func (s *Second) Status() Status {
	switch {
	case s.Settled != nil:
		return Settled
	case s.Second == nil:
		return Waiting
	case s.Agreed:
		return Agreed
	}
	return Disputed
}

// Answer returns the final verdict once two people agreed or a third one settled, else nil.
func (s *Second) Answer() *Verdict {
	switch s.Status() {
	case Agreed:
		return &s.First
	case Settled:
		if s.Settled.Stands {
			return &s.First
		}
		return s.Second
	}
	return nil
}

// Decide records the second decision. Nobody may give it on their own decision.
func (s *Second) Decide(v Verdict) ([]report.Fact, error) {
	if v.By != nil && s.First.by(*v.By) {
		return nil, domain.Errorf(domain.CodeOwnDecision, "You made this decision, so somebody else must decide again.")
	}
	if s.Status() != Waiting {
		return nil, domain.Errorf(domain.CodeInvalidState, "Somebody has given this second opinion already.")
	}
	return []report.Fact{&report.SecondDecided{SecondID: s.ID, Decision: s.Decision, Resolution: v.Resolution, Policy: v.Policy, Agreed: s.First.Agrees(&v)}}, nil
}

// DecideGolden records a decision where the answer is known.
func (s *Second) DecideGolden(id string, v Verdict) ([]report.Fact, error) {
	answer := s.Answer()
	if answer == nil {
		return nil, domain.Errorf(domain.CodeInvalidState, "This second opinion can no longer be given.")
	}
	return []report.Fact{&report.SecondDecided{SecondID: id, Decision: s.Decision, Resolution: v.Resolution, Policy: v.Policy, Agreed: answer.Agrees(&v), Golden: true}}, nil
}

// Settle records whether the decision stands. Neither of the two who disagree may settle it.
func (s *Second) Settle(by string, stands bool, reason string) ([]report.Fact, error) {
	if slices.ContainsFunc([]*Verdict{&s.First, s.Second}, func(v *Verdict) bool { return v.by(by) }) {
		return nil, domain.Errorf(domain.CodeOwnDecision, "You are one of the two who disagree, so a third person must settle this.")
	}
	if s.Status() != Disputed {
		return nil, domain.Errorf(domain.CodeInvalidState, "Only what is disputed can be settled, and once.")
	}
	return []report.Fact{&report.SecondSettled{SecondID: s.ID, Decision: s.Decision, Stands: stands, Words: report.SecondSettledWords{Reason: reason}}}, nil
}
