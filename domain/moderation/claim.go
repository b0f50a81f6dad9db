package moderation

import (
	"context"

	"github.com/docketmod/docket/domain/report"
)

// Claim assigns the report to the caller.
func (s *Service) Claim(ctx context.Context, a *Authorized, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideClaim(st, a.Caller.UserID, expectedVersion)
	})
}
