package projector

import (
	"context"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// BuildStatus describes how far a build is.
type BuildStatus struct {
	Name      string       `json:"name"`
	Build     int          `json:"build"`
	Version   int          `json:"version"`
	State     string       `json:"state"` // building, live or retired
	Position  int64        `json:"position"`
	Behind    int64        `json:"behindEvents"`
	Lag       float64      `json:"lagSeconds"` // age of the oldest event that is not projected
	PausedAt  *domain.Time `json:"pausedAt"`
	PausedWhy *string      `json:"pausedWhy"`
}

// Status returns how far every build is.
func Status(ctx context.Context, db postgres.Reader, now time.Time) ([]BuildStatus, error) {
	builds, err := Builds(ctx, db)
	if err != nil {
		return nil, err
	}
	end, err := eventstore.LastPosition(ctx, db)
	if err != nil {
		return nil, err
	}
	all := make([]BuildStatus, 0, len(builds))
	for _, b := range builds {
		s := BuildStatus{Name: b.Name, Build: b.Build, Version: b.Version, State: b.State, Position: b.Position,
			Behind: max(end-b.Position, 0), PausedAt: domain.TimeOf(b.PausedAt), PausedWhy: b.PausedWhy}
		if s.Behind > 0 {
			var next *time.Time
			err := db.QueryRow(ctx, `SELECT (SELECT e.occurred_at FROM core_moderation_log l JOIN core_moderation_report_events e USING (event_id)
				WHERE l.position = $1)`, b.Position+1).Scan(&next)
			if err != nil {
				return nil, fmt.Errorf("date position %d: %w", b.Position+1, err)
			}
			if next != nil {
				s.Lag = max(now.Sub(*next), 0).Seconds()
			}
		}
		all = append(all, s)
	}
	return all, nil
}
