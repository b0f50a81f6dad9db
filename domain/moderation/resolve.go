package moderation

import (
	"context"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// Resolve records a decision on the report. A policy that it cites must be in force.
func (s *Service) Resolve(ctx context.Context, a *Authorized, c report.Resolve, expectedVersion int) (*Report, error) {
	if err := s.completeResolve(ctx, &c, "policy"); err != nil {
		return nil, err
	}
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideResolve(st, a.Caller.UserID, c, expectedVersion)
	})
}

// Policies are the rules that decisions cite.
type Policies interface {
	// InForce reports whether the version is in force.
	InForce(ctx context.Context, ref policy.Ref) (bool, error)
}

// completeResolve checks that the policy which the decision cites, if any, is in force, and
// sets how long it can be appealed. path is the policy's in the request.
func (s *Service) completeResolve(ctx context.Context, c *report.Resolve, path string) error {
	c.AppealableUntil = s.appealableUntil(c.Resolution)
	if c.Policy == nil {
		return nil
	}
	if s.Policies != nil {
		inForce, err := s.Policies.InForce(ctx, *c.Policy)
		if err != nil || inForce {
			return err
		}
	}
	return domain.Invalid(domain.Issue{Path: path, Code: "unknown_policy", Message: "This version of the policy is not in force."})
}
