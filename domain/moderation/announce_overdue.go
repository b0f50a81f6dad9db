package moderation

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
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
			_, err := s.log.Update(ctx, Ref{ReportID: id}, nil, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
				return Change{Facts: report.DecideOverdue(l.State, l.Now)}, nil
			})
			if err != nil && !errors.Is(err, domain.NotFound()) {
				return err
			}
		}
	}
}
