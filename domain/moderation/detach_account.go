package moderation

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
)

// detachBatch is how many reports of a deleted account are read at once.
const detachBatch = 100

// DetachAccount removes an account from every report that refers to it, and ends its held decisions, in one transaction
// per report. It can be interrupted and run again. The caller deletes the account itself afterwards.
func (s *Service) DetachAccount(ctx context.Context, userID string, actorID *string) error {
	for {
		ids, err := s.log.ReportsOf(ctx, userID, detachBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			_, err := s.log.Update(ctx, Ref{ReportID: id}, actorID, func(_ context.Context, _ pgx.Tx, l Loaded) (Change, error) {
				return Change{Facts: append(report.DecideHeldGone(l.State, userID), report.DecideRemoveAccount(userID)...)}, nil
			})
			if err != nil {
				return err
			}
		}
	}
}
