package moderation

import (
	"context"

	"github.com/docketmod/docket/domain/report"
)

// lapseBatch is how many reports with expired held decisions are read at once.
const lapseBatch = 500

// LapseHeld ends the held decisions that nobody released in time, once each. It can be interrupted and run again at any
// time.
func (s *Service) LapseHeld(ctx context.Context) error {
	for after := ""; ; {
		ids, err := s.reports.HeldUntil(ctx, s.now(), after, lapseBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, after = range ids {
			if err := s.append(ctx, after, func(l Loaded) []report.Fact { return report.DecideHeldLapse(l.State, l.Now) }); err != nil {
				return err
			}
		}
	}
}
