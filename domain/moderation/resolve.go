package moderation

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// Resolve records a decision on the report, and the measures that it imposes, or holds it if the policy wants a
// second person. A policy that it cites must be in force.
func (s *Service) Resolve(ctx context.Context, a *Authorized, c report.Resolve, expectedVersion int) (*Report, error) {
	if err := s.completeResolve(ctx, a, &c, ""); err != nil {
		return nil, err
	}
	if c.SecondKey {
		return s.hold(ctx, a, report.Hold{Resolve: &c}, nil, expectedVersion)
	}
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideResolve(st, a.Caller.UserID, c, expectedVersion)
	})
}

// Policies are the rules that decisions cite, and the ladder of measures.
type Policies interface {
	// Newest returns the version of a key that is in force, or nil.
	Newest(ctx context.Context, key string) (*policy.Policy, error)
	// Ladder returns the ladder, which may have no steps.
	Ladder(ctx context.Context) (measure.Ladder, error)
}

// completeResolve checks that the policy which the decision cites, if any, is in force, and that its
// measures are possible and permitted. It completes them, and sets how long the decision can be
// appealed. prefix is that of the decision's paths in the request.
func (s *Service) completeResolve(ctx context.Context, a *Authorized, c *report.Resolve, prefix string) error {
	c.AppealableUntil = s.appealableUntil(c.Resolution)
	var issues []domain.Issue
	var cited *policy.Policy
	if c.Policy != nil {
		var err error
		if cited, err = s.citable(ctx, c.Policy.Key); err != nil {
			return err
		}
		if cited == nil || cited.Version != c.Policy.Version {
			issues = append(issues, unknownPolicy(prefix+"policy"))
		} else {
			c.SecondKey = cited.SecondKey
			if cited.Statement != nil {
				c.Ground = cited.Statement.Ground
			}
		}
	}
	if len(c.Measures) == 0 {
		return domain.Invalid(issues...)
	}
	found, err := s.measureIssues(ctx, a, c, prefix+"measures")
	if err != nil {
		return err
	}
	if err := domain.Invalid(append(issues, found...)...); err != nil {
		return err
	}
	kinds := make([]measure.Kind, len(c.Measures))
	for i, m := range c.Measures {
		kinds[i] = m.Kind
	}
	if err := authorizeMeasures(a, kinds...); err != nil {
		return err
	}
	return s.completeMeasures(ctx, a, c, cited)
}

func unknownPolicy(path string) domain.Issue {
	return domain.Issue{Path: path, Code: "unknown_policy", Message: "This version of the policy is not in force."}
}
