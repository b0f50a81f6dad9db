package moderation

import (
	"context"
	"fmt"
	"slices"

	"github.com/docketmod/docket/domain/report"
)

// overdueBatch is how many overdue reports are read in one query.
const overdueBatch = 500

// AnnounceOverdue records and publishes, once per report, that an open report has passed its deadline. It may be
// interrupted and run again at any time. It fails on reports that are overdue by their rows and not by the log,
// since it would find these for ever.
func (s *Service) AnnounceOverdue(ctx context.Context) error {
	var announced []string
	for {
		ids, err := s.reports.Overdue(ctx, s.now(), overdueBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if slices.Equal(ids, announced) {
			return fmt.Errorf("announce overdue reports: the row of report %s differs from the log; run docket projections verify", ids[0])
		}
		announced = ids
		for _, id := range ids {
			if err := s.append(ctx, id, func(l Loaded) []report.Fact { return report.DecideOverdue(l.State, l.Now) }); err != nil {
				return err
			}
		}
	}
}
