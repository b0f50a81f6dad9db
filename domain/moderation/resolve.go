package moderation

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// Resolve records a decision and its measures on the report, after its action on the content, if it has one. All of it
// is held if the policy or the action needs a second person. A policy that it cites must be in force.
func (s *Service) Resolve(ctx context.Context, a *Authorized, c report.Resolve, action *string, expectedVersion int) (*Report, error) {
	var state *target.State
	if action != nil {
		if s.actionIssues(CaseOf(a.Report.Target), action) != nil {
			issues, err := s.ResolveIssues(ctx, a, &c, action)
			return nil, cmp.Or(err, domain.Invalid(issues...))
		}
		var err error
		if a.action, a.undoes, err = s.permittedAction(a.Caller, a.Report, *action); err != nil {
			return nil, err
		}
		if state, err = s.stateForAction(ctx, a); err != nil {
			return nil, err
		}
	}
	if err := s.completeResolve(ctx, a, &c, ""); err != nil {
		return nil, err
	}
	r, err := s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(ctx context.Context, tx pgx.Tx, l Loaded) (Change, error) {
		return a.resolve(ctx, tx, l, c, action != nil, state, expectedVersion)
	})
	if err != nil {
		return nil, err
	}
	r.Holds = c.SecondKey || a.action.SecondKey
	return r, nil
}

// ResolveIssues returns the faults of a decision that depend on the content and on what is in force: a policy that is
// not in force, an author that the content does not have, an action that it does not offer.
func (s *Service) ResolveIssues(ctx context.Context, a *Authorized, c *report.Resolve, action *string) ([]domain.Issue, error) {
	issues, _, err := s.resolveIssues(ctx, a, c, "")
	return append(issues, s.actionIssues(CaseOf(a.Report.Target), action)...), err
}

// resolve returns the change that decides the report or holds the decision. If acts is set, the authorized action comes
// first.
func (a *Authorized) resolve(ctx context.Context, tx pgx.Tx, l Loaded, c report.Resolve, acts bool, state *target.State, expectedVersion int) (change Change, err error) {
	if c.SecondKey || a.action.SecondKey {
		h := report.Hold{Resolve: &c}
		if acts {
			h.Action = a.action.Name
		}
		return a.hold(l, h, state, expectedVersion)
	}
	return a.decide(ctx, tx, l, nil, acts, state, &c, expectedVersion)
}

// decide returns a change of the facts in first, then of the authorized action if acts is set, then of the decision
// unless it is nil.
func (a *Authorized) decide(ctx context.Context, tx pgx.Tx, l Loaded, first []report.Fact, acts bool, state *target.State, c *report.Resolve, expectedVersion int) (change Change, err error) {
	var resolved []report.Fact
	if c != nil {
		if resolved, err = report.DecideResolve(l.State, a.Caller.UserID, *c, expectedVersion); err != nil {
			return Change{}, err
		}
	}
	change.Facts = slices.Clip(first)
	if acts {
		if err = a.act(ctx, tx, l, state, expectedVersion, &change); err != nil {
			return Change{}, err
		}
	}
	change.Facts = append(change.Facts, resolved...)
	return change, nil
}

// Policies reads the policies that decisions cite, and the ladder of measures.
type Policies interface {
	// Newest returns the version of a key that is in force, or nil.
	Newest(ctx context.Context, key string) (*policy.Policy, error)
	// Ladder returns the ladder, which may have no steps.
	Ladder(ctx context.Context) (measure.Ladder, error)
}

// completeResolve checks that the policy which the decision cites, if any, is in force, and that its measures are
// possible and permitted. It completes the measures, and sets how long the decision can be appealed. prefix begins
// the decision's paths in the request.
func (s *Service) completeResolve(ctx context.Context, a *Authorized, c *report.Resolve, prefix string) error {
	c.AppealFor = s.appealFor(c.Resolution)
	issues, cited, err := s.resolveIssues(ctx, a, c, prefix)
	if err := cmp.Or(err, domain.Invalid(issues...)); err != nil {
		return err
	}
	if cited != nil {
		c.SecondKey = cited.SecondKey
		if cited.Statement != nil {
			c.Ground = cited.Statement.Ground
		}
	}
	if len(c.Measures) == 0 {
		return nil
	}
	kinds := domain.Map(c.Measures, func(m report.MeasureImposed) measure.Kind { return m.Kind })
	if err := authorizeMeasures(a, kinds...); err != nil {
		return err
	}
	return s.completeMeasures(ctx, a, c, cited)
}

// resolveIssues returns the faults of a decision's policy and measures, and the policy.
func (s *Service) resolveIssues(ctx context.Context, a *Authorized, c *report.Resolve, prefix string) (issues []domain.Issue, cited *policy.Policy, err error) {
	if c.Policy != nil {
		if cited, err = s.citable(ctx, c.Policy.Key); err != nil {
			return nil, nil, err
		}
		if cited == nil || cited.Version != c.Policy.Version {
			issues = append(issues, unknownPolicy(prefix+"policy"))
		}
	}
	if len(c.Measures) > 0 {
		found, err := s.measureIssues(ctx, a, c, prefix+"measures")
		return append(issues, found...), cited, err
	}
	return issues, cited, nil
}

func unknownPolicy(path string) domain.Issue {
	return domain.Issue{Path: path, Code: "unknown_policy", Message: "This version of the policy is not in force."}
}

// Reopen revokes a decision, for a reason.
func (s *Service) Reopen(ctx context.Context, a *Authorized, reason string, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideReopen(st, a.Caller.UserID, reason, expectedVersion)
	})
}

// citable returns the version of a policy that decisions may cite, or nil.
func (s *Service) citable(ctx context.Context, key string) (*policy.Policy, error) {
	if s.Policies == nil || !policy.ValidKey(key) {
		return nil, nil
	}
	return s.Policies.Newest(ctx, key)
}
