package moderation

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// Resolve records a decision on the report. A policy that it cites must be in force.
func (s *Service) Resolve(ctx context.Context, a *Authorized, c report.Resolve, expectedVersion int) (*Report, error) {
	if err := s.completeResolve(ctx, &c, "policy"); err != nil {
		return nil, err
	}
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		facts, err := report.DecideResolve(l.State, c, expectedVersion)
		return Change{Facts: facts}, err
	})
}

// Reopen revokes a decision, for a reason.
func (s *Service) Reopen(ctx context.Context, a *Authorized, reason string, expectedVersion int) (*Report, error) {
	return s.update(ctx, a, Ref{ReportID: a.Report.ID}, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
		facts, err := report.DecideReopen(l.State, reason, expectedVersion)
		return Change{Facts: facts}, err
	})
}
