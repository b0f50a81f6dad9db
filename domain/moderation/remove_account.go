package moderation

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// removeBatch is how many reports of a deleted account are looked up at once.
const removeBatch = 100

// RemoveAccount takes an account out of every report that refers to it, one
// transaction a report. It can be stopped and run again; the account itself is
// deleted after it.
func (s *Service) RemoveAccount(ctx context.Context, userID string, actorID *string) error {
	for {
		ids, err := s.log.ReportsOf(ctx, userID, removeBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			_, err := s.log.Update(ctx, Ref{ReportID: id}, actorID, func(context.Context, pgx.Tx, Loaded) (Change, error) {
				return Change{Facts: report.DecideRemoveAccount(userID)}, nil
			})
			if err != nil {
				return err
			}
		}
	}
}
