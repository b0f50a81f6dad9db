package cmd

import (
	"context"

	"github.com/docketmod/docket/projections"
)

// mendReports completes rows that servers of the previous release wrote. Signals come first, since Mend
// removes the mark that identifies such rows.
func (s *Server) mendReports(ctx context.Context) error {
	if err := s.moderation.SignalMissed(ctx); err != nil {
		return err
	}
	return projections.Mend(ctx, s.db.Pool)
}
