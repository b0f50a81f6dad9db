package moderation

import (
	"context"

	"github.com/docketmod/docket/domain/report"
)

// overdueBatch is how many overdue reports are looked up at once.
const overdueBatch = 500

// AnnounceOverdue records and publishes, once per report, that an open report has passed its
// deadline. It may be interrupted and run again at any time.
func (s *Service) AnnounceOverdue(ctx context.Context) error {
	for {
		ids, err := s.reports.Overdue(ctx, s.now(), overdueBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.append(ctx, id, func(l Loaded) []report.Fact { return report.DecideOverdue(l.State, l.Now) }); err != nil {
				return err
			}
		}
	}
}
