package moderation

import (
	"context"
	"errors"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// Leads stands in the API for all who hold can_approve for a report. Any other value is an account id.
const Leads = "leads"

// EscalationView says to whom a report is escalated, and why.
type EscalationView struct {
	EscalatedTo
	Note *string `json:"note"` // null once erased
}

// EscalatedTo says to whom a report is escalated.
type EscalatedTo struct {
	To     string      `json:"to"`     // Leads, or an account id
	Person *Person     `json:"person"` // null for the leads
	By     *Person     `json:"by"`     // null once the account is deleted
	At     domain.Time `json:"at"`
}

func escalatedTo(userID *string) string {
	if userID == nil {
		return Leads
	}
	return *userID
}

func viewEscalation(s *Stored) *EscalationView {
	if s.Escalation == nil {
		return nil
	}
	return &EscalationView{*viewEscalatedTo(s.Escalation, s.Escalated.Names), s.Escalated.Note}
}

// viewEscalatedTo returns to whom a report is escalated. names has the names of accounts by id.
func viewEscalatedTo(e *report.Escalation, names map[string]string) *EscalatedTo {
	if e == nil {
		return nil
	}
	return &EscalatedTo{To: escalatedTo(e.To), Person: named(e.To, names), By: named(e.By, names), At: domain.Time(e.At)}
}

// waitsFor reports whether a report is escalated to the caller.
func waitsFor(c *permission.Caller, s *Stored, e *report.Escalation) bool {
	if e.To != nil {
		return *e.To == c.UserID
	}
	return allows(c, s, permission.Approve)
}

// Escalate hands the report to an account that may work on it, or to the leads if to is nil.
func (s *Service) Escalate(ctx context.Context, a *Authorized, to *string, note string, expectedVersion int) (*Report, error) {
	refused, err := s.checkEscalation(ctx, a, to)
	if err != nil {
		return nil, err
	}
	r, err := s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		facts, err := report.DecideEscalate(st, a.Caller.UserID, to, note, expectedVersion)
		if refused != nil && (err != nil || len(facts) > 0) {
			return nil, refused
		}
		return facts, err
	})
	if errors.Is(err, ErrAccountGone) && to != nil && *to != a.Caller.UserID {
		return nil, notEscalatable()
	}
	return r, err
}

// checkEscalation returns, as refused, why the report cannot be escalated to the account or to the leads.
func (s *Service) checkEscalation(ctx context.Context, a *Authorized, to *string) (refused, err error) {
	if to == nil {
		leads, err := s.candidates(ctx, a, permission.Approve, "", "")
		if err == nil && len(leads) == 0 {
			refused = domain.Invalid(domain.Issue{Path: "to", Code: "no_leads", Message: "Nobody holds " + permission.Approve + " for this report."})
		}
		return refused, err
	}
	for _, need := range []string{permission.ManageReports, permission.Approve} {
		if able, err := s.candidates(ctx, a, need, "", *to); err != nil || len(able) > 0 {
			return nil, err
		}
	}
	return notEscalatable(), nil
}

func notEscalatable() error {
	return domain.Invalid(domain.Issue{Path: "to", Code: "not_assignable", Message: "This user may not work on the report. Choose somebody who may."})
}

// AuthorizeReturn is Authorize for Return: a report may be returned by those who may manage it, and by those to whom it
// is escalated.
func (s *Service) AuthorizeReturn(ctx context.Context, c *permission.Caller, reportID string) (*Authorized, error) {
	a, err := s.authorizeSince(ctx, c, reportID, "", s.now())
	if err != nil {
		return nil, err
	}
	if e := a.Report.Escalation; e == nil || !waitsFor(c, a.Report, e) {
		err = permitted(c, a.Report, permission.ManageReports)
	}
	return a, err
}

// Return hands the report back to its assignee before the escalation, or to the queue if there was none or they may no
// longer manage it.
func (s *Service) Return(ctx context.Context, a *Authorized, note *string, expectedVersion int) (*Report, error) {
	var able []Person
	if e := a.Report.Escalation; e != nil && e.From != nil {
		var err error
		if able, err = s.candidates(ctx, a, permission.ManageReports, "", *e.From); err != nil {
			return nil, err
		}
	}
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideReturn(st, func(userID string) bool { return len(able) > 0 && able[0].ID == userID }, note, expectedVersion)
	})
}
