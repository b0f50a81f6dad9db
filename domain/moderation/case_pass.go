package moderation

import (
	"context"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
)

// PassReason is why a moderator passes a case on. Reasons are only counted.
type PassReason string

// PassReasons are the reasons for passing a case on.
var PassReasons = []PassReason{"language", "unsure", "conflict", "other"}

// MaxParked is how long a case can be parked.
const MaxParked = 30 * 24 * time.Hour

// PassCase keeps the case from being the caller's next for a day and releases those of its reports that the caller has
// claimed. Nothing that others can read reveals who passed it, except that the histories of the released reports show who
// gave them back, as after any other release.
func (s *Service) PassCase(ctx context.Context, c *permission.Caller, t CaseTarget, reason PassReason) error {
	ids, err := s.openCase(ctx, c, t)
	if err != nil {
		return err
	}
	if err := s.reports.Pass(ctx, t, c.UserID, reason); err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, claimBatch) {
		_, err := s.appendAll(ctx, batch, &c.UserID, func(l Loaded) ([]report.Fact, error) {
			if !l.State.HeldBy(c.UserID) {
				return nil, nil
			}
			return report.DecideUnassign(l.State, l.State.Version)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ParkCase keeps the case from being anybody's next until a time, at most MaxParked from now; nil ends the parking.
func (s *Service) ParkCase(ctx context.Context, c *permission.Caller, t CaseTarget, until *time.Time) error {
	if _, err := s.openCase(ctx, c, t); err != nil {
		return err
	}
	return s.reports.Park(ctx, t, c.UserID, s.now(), until)
}

// openCase returns the open reports of a case that the caller may manage, at most maxClaims. It returns not_found if
// the case has none.
func (s *Service) openCase(ctx context.Context, c *permission.Caller, t CaseTarget) ([]string, error) {
	ids, err := s.reports.OpenReports(ctx, t, maxClaims)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, domain.NotFound()
	}
	_, err = s.Authorize(ctx, c, ids[0], permission.ManageReports)
	return ids, err
}
