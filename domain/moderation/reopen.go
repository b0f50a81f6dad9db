package moderation

import (
	"context"

	"github.com/docketmod/docket/domain/report"
)

// Reopen revokes a decision, for a reason.
func (s *Service) Reopen(ctx context.Context, a *Authorized, reason string, expectedVersion int) (*Report, error) {
	return s.decide(ctx, a, func(st report.State) ([]report.Fact, error) {
		return report.DecideReopen(st, a.Caller.UserID, reason, expectedVersion)
	})
}
