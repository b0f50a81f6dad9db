package moderation

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// MaxSimilar is how many similar reports one request decides.
const MaxSimilar = 200

// SimilarDecision is one decision on several reports, which may be about different targets.
type SimilarDecision struct {
	Reports []ExpectedReport // each once
	Action  *string
	Resolve report.Resolve // without measures
}

// SimilarOutcome says which reports were decided.
type SimilarOutcome struct {
	Done      []string       `json:"done"`
	Held      []HeldReport   `json:"held,omitempty"` // that are held
	Conflicts []CaseConflict `json:"conflicts"`
}

// HeldReport is a report with a held decision.
type HeldReport struct {
	ReportID string `json:"reportId"`
	HeldView
}

// DecideSimilar decides the reports one by one, each in its own transaction. The action runs once per target, with the
// first of its reports that is decided. A report is a conflict and stays unchanged if it has changed or is done, if
// somebody else has claimed it, if the caller may not replace their own decision on it, or if the action is not
// possible or fails; a report that the caller may no longer see or decide is one too, but is not shown. On any other
// error the remaining reports stay unchanged, and the error comes with what was done before.
func (s *Service) DecideSimilar(ctx context.Context, c *permission.Caller, d SimilarDecision) (*SimilarOutcome, error) {
	found, err := s.permitSimilar(ctx, c, d)
	if err != nil {
		return nil, err
	}
	if err := s.completeResolve(ctx, nil, &d.Resolve, "resolve."); err != nil {
		return nil, err
	}
	out := &SimilarOutcome{Done: []string{}, Held: []HeldReport{}, Conflicts: []CaseConflict{}}
	acted := map[CaseTarget]bool{}
	for _, r := range d.Reports {
		t := CaseOf(found[r.ID].Target)
		a, err := s.authorizeDecision(ctx, c, r.ID, d.Action)
		var held *HeldView
		if err == nil {
			held, err = s.decideOne(ctx, a, d, r.ExpectedVersion, d.Action != nil && !acted[t])
		}
		if err == nil {
			if held != nil {
				out.Held = append(out.Held, HeldReport{r.ID, *held})
			} else {
				out.Done = append(out.Done, r.ID)
			}
			acted[t] = true
			continue
		}
		var current *Report
		switch code := domain.ErrorCode(err); {
		case a == nil && (code == domain.CodeNotFound || code == domain.CodeForbidden):
			err = nil
		case isConflict(code):
			current, err = s.View(ctx, a)
		}
		if err == nil {
			out.Conflicts = append(out.Conflicts, CaseConflict{ID: r.ID, Current: current})
			continue
		}
		return out, err
	}
	return out, nil
}

// SimilarIssues returns the faults of a decision that depend on the content and on what is in force.
func (s *Service) SimilarIssues(ctx context.Context, d SimilarDecision) ([]domain.Issue, error) {
	d.Resolve.Measures = nil // they have none
	issues, _, err := s.resolveIssues(ctx, nil, &d.Resolve, "resolve.")
	return issues, err
}

func isConflict(c domain.Code) bool {
	return carriesCurrent(c) || c == domain.CodeAlreadyClaimed || c == domain.CodeOwnDecision || c == domain.CodeActionFailed
}

// permitSimilar checks by the stored scopes that the caller may decide all reports, before any is decided. One that the
// caller may not see makes all of them NotFound.
func (s *Service) permitSimilar(ctx context.Context, c *permission.Caller, d SimilarDecision) (map[string]*Stored, error) {
	found, err := s.reports.FindAll(ctx, idsOf(d.Reports))
	if err != nil {
		return nil, err
	}
	for _, need := range []string{permission.ViewReports, permission.ManageReports} {
		for _, r := range d.Reports {
			if err := permitted(c, found[r.ID], need); err != nil {
				return nil, err
			}
		}
	}
	if d.Action != nil {
		for _, r := range d.Reports {
			if _, _, err := s.permittedAction(c, found[r.ID], *d.Action); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// decideOne decides one report, after the action if acts is set. It returns the held decision if the policy or the
// action needs a second person.
func (s *Service) decideOne(ctx context.Context, a *Authorized, d SimilarDecision, expectedVersion int, acts bool) (*HeldView, error) {
	var state *target.State
	if acts {
		var err error
		if state, err = s.stateForAction(ctx, a); err != nil {
			return nil, err
		}
	}
	after, err := s.log.Update(ctx, Ref{ReportID: a.Report.ID}, &a.Caller.UserID, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
		if l.State.Held() && !l.State.HeldBy(a.Caller.UserID) {
			return Change{}, domain.Errorf(domain.CodeAlreadyClaimed, "Somebody else holds this report.")
		}
		if l.State.Status == report.Done {
			return Change{}, domain.Errorf(domain.CodeConflict, "This report is done.")
		}
		return a.resolve(ctx, tx, l, d.Resolve, acts, state, expectedVersion)
	})
	if err != nil || !d.Resolve.SecondKey && !a.action.SecondKey {
		return nil, err
	}
	return heldBy(&after, &Person{ID: a.Caller.UserID, Name: a.Caller.Name}), nil
}
