package moderation

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// MaxSimilar is how many look-alikes are decided at once.
const MaxSimilar = 200

// SimilarDecision is one verdict on several reports, which may be about different targets.
type SimilarDecision struct {
	Reports []ExpectedReport
	Action  *string
	Resolve report.Resolve // without measures
}

// SimilarOutcome says which reports were decided.
type SimilarOutcome struct {
	Done      []string       `json:"done"`
	Conflicts []CaseConflict `json:"conflicts"`
}

// DecideSimilar decides the reports one by one, each in a transaction of its own. The action runs once
// on each target, with its first report. A report that has changed or is done, that somebody else holds, or
// whose content does not allow the action is a conflict and is left as it is. If one of them cannot be decided for
// another reason, the rest is left too, and the error is returned if none was decided.
func (s *Service) DecideSimilar(ctx context.Context, c *permission.Caller, d SimilarDecision) (*SimilarOutcome, error) {
	all, err := s.authorizeSimilar(ctx, c, d)
	if err != nil {
		return nil, err
	}
	if err := s.completeResolve(ctx, nil, &d.Resolve, "resolve."); err != nil {
		return nil, err
	}
	out := &SimilarOutcome{Done: []string{}, Conflicts: []CaseConflict{}}
	acted := map[CaseTarget]bool{}
	for i, a := range all {
		t := CaseTarget{a.Report.Target.PluginID, a.Report.Target.Type, a.Report.Target.ID}
		err := s.decideOne(ctx, a, d, d.Reports[i].ExpectedVersion, d.Action != nil && !acted[t])
		switch {
		case err == nil:
			out.Done = append(out.Done, a.Report.ID)
			acted[t] = true
			continue
		case isConflict(domain.ErrorCode(err)):
			var current *Report
			if current, err = s.View(ctx, a); err == nil {
				out.Conflicts = append(out.Conflicts, CaseConflict{ID: a.Report.ID, Current: current})
				continue
			}
		}
		if len(out.Done) > 0 {
			break
		}
		return nil, err
	}
	return out, nil
}

func isConflict(c domain.Code) bool {
	return carriesCurrent(c) || c == domain.CodeAlreadyClaimed || c == domain.CodeOwnDecision || c == domain.CodeActionFailed
}

// authorizeSimilar authorizes the caller for every report before any is decided. A report that the
// caller may not see makes all of them NotFound.
func (s *Service) authorizeSimilar(ctx context.Context, c *permission.Caller, d SimilarDecision) ([]*Authorized, error) {
	found, err := s.reports.FindAll(ctx, idsOf(d.Reports))
	if err != nil {
		return nil, err
	}
	for _, r := range d.Reports {
		if stored := found[r.ID]; stored == nil || !allows(c, stored, permission.ViewReports) {
			return nil, domain.NotFound()
		}
	}
	all := make([]*Authorized, len(d.Reports))
	for i, r := range d.Reports {
		if d.Action != nil {
			all[i], err = s.AuthorizeAction(ctx, c, r.ID, *d.Action)
		} else {
			all[i], err = s.Authorize(ctx, c, r.ID, permission.ManageReports)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// decideOne decides one report, after its action if it acts.
func (s *Service) decideOne(ctx context.Context, a *Authorized, d SimilarDecision, expectedVersion int, acts bool) error {
	var state *target.State
	if acts {
		var err error
		if state, err = s.stateForAction(ctx, a); err != nil {
			return err
		}
	}
	_, err := s.log.Update(ctx, Ref{ReportID: a.Report.ID}, &a.Caller.UserID, func(ctx context.Context, tx pgx.Tx, l Loaded) (change Change, err error) {
		if l.State.Held() && !l.State.HeldBy(a.Caller.UserID) {
			return Change{}, domain.Errorf(domain.CodeAlreadyClaimed, "Somebody else holds this report.")
		}
		if l.State.Status == report.Done {
			return Change{}, domain.Errorf(domain.CodeConflict, "This report is done.")
		}
		resolved, err := report.DecideResolve(l.State, a.Caller.UserID, d.Resolve, expectedVersion)
		if err != nil {
			return Change{}, err
		}
		if acts {
			if change, err = a.act(ctx, tx, l, state, expectedVersion); err != nil {
				return Change{}, err
			}
		}
		change.Facts = append(change.Facts, resolved...)
		return change, nil
	})
	return err
}
