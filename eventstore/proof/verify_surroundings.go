package proof

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// surroundings verifies what the log relies on: its triggers, and that no reader's position is
// beyond its end, since that reader would skip the next events.
func (r *auditRun) surroundings(ctx context.Context) error {
	if r.Guards != nil {
		problems, err := r.Guards(ctx)
		if err != nil {
			return err
		}
		for _, problem := range problems {
			r.found(Finding{Problem: problem})
		}
	}
	type place struct {
		name     string
		position int64
	}
	var at place
	var beyond []place
	err := postgres.ForEach(ctx, r.Pool, "read how far projections are", []any{&at.name, &at.position}, func() error {
		if at.position > r.end {
			beyond = append(beyond, at)
		}
		return nil
	}, `SELECT format('projection %s, build %s', name, build), position FROM core_projections ORDER BY name, build`)
	if err != nil || beyond == nil {
		return err
	}
	end, err := eventstore.LastPosition(ctx, r.Pool) // which has moved since the audit began
	if err != nil {
		return err
	}
	for _, p := range beyond {
		if p.position > end {
			r.found(Finding{Problem: fmt.Sprintf("%s: it has read up to position %d, and the log ends at %d", p.name, p.position, end)})
		}
	}
	return nil
}
