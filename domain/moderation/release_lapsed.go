package moderation

import (
	"context"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// lapsedBatch is how many lapsed claims are read at once.
const lapsedBatch = 500

// LapsedClaim is a report that its assignee has not touched for too long, as of when it was found.
type LapsedClaim struct {
	ReportID  string
	CreatedAt time.Time
	Sequence  int
}

// ReleaseLapsed releases, once each, the reports that their assignees have not touched for ClaimTimeout. A report that
// changes concurrently is left for the next run. It can be interrupted and run again at any time.
func (s *Service) ReleaseLapsed(ctx context.Context) error {
	if s.ClaimTimeout <= 0 {
		return nil
	}
	var last LapsedClaim
	for {
		found, err := s.reports.LapsedClaims(ctx, s.ClaimTimeout, last, lapsedBatch)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, last = range found {
			if err := s.append(ctx, last.ReportID, func(l Loaded) []report.Fact { return report.DecideLapse(l.State, last.Sequence) }); err != nil {
				return err
			}
		}
	}
}
