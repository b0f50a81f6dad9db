package statement

import (
	"context"
	"slices"

	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/eventstore"
)

// Preview returns the statement for a decision that is not made yet. Its actions are added to the standing ones, and
// its measures replace the standing ones. Without a statement, it returns the missing information, or nothing if the
// decision restricts nobody.
func (s *Store) Preview(ctx context.Context, reportID string, cited *policy.Ref, actions []string, measures []report.MeasureImposed) (*statement.Statement, []statement.Missing, error) {
	var state report.State
	if err := eventstore.EachEvent(ctx, s.pool, reportID, func(e report.Event) { state = report.Evolve(state, e) }); err != nil {
		return nil, nil, err
	}
	for _, name := range actions {
		if !slices.Contains(state.Standing, name) {
			state.Standing = append(state.Standing, name)
		}
	}
	now := s.now()
	state.Measures = nil
	for _, m := range measures {
		state.Measures = append(state.Measures, report.Measure{Kind: m.Kind, Until: m.Until, ImposedAt: now})
	}
	d := described{Decision: s.restrictions(state, now)}
	d.ID, d.DecidedAt = "not-decided-yet", now
	if err := s.cite(ctx, &d, cited); err != nil {
		return nil, nil, err
	}
	if !d.Restricts() {
		return nil, nil, nil
	}
	made, missing := statement.Make(d.Decision)
	return made, missing, nil
}
