package moderation

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// Claim assigns the report to the caller.
func (s *Service) Claim(ctx context.Context, a *Authorized, expectedVersion int) (*Report, error) {
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		facts, err := report.DecideClaim(l.State, a.Caller.UserID, expectedVersion)
		return Change{Facts: facts}, err
	})
}
