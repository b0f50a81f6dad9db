package moderation

import (
	"context"

	"github.com/docketmod/docket/domain/report"
)

// Resolve records a decision on the report. A policy that it cites must be in force.
func (s *Service) Resolve(ctx context.Context, a *Authorized, c report.Resolve, expectedVersion int) (*Report, error) {
	if err := s.completeResolve(ctx, &c, "policy"); err != nil {
		return nil, err
	}
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) { return report.DecideResolve(st, c, expectedVersion) })
}

// Reopen revokes a decision, for a reason.
func (s *Service) Reopen(ctx context.Context, a *Authorized, reason string, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) { return report.DecideReopen(st, reason, expectedVersion) })
}
