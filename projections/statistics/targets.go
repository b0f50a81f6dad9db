package statistics

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/projector"
)

// targetSummary counts in core_projected_targets the reports of each target and their outcomes.
var targetSummary = projector.Counted{
	Name: "targets", Version: 1,
	Keys:     []projector.Column{{Name: "target_type", Type: "text"}, {Name: "target_id", Type: "text"}},
	Counters: []string{"filed", "open", "upheld", "not_upheld", "duplicate", "actions"},
	Count: func(s projector.Step) []projector.Addition {
		row := func(counters []int64, actions int64) projector.Addition {
			t := s.After.Target
			return projector.Add(t, []string{t.Type, t.ID}, append(counters, actions))
		}
		_, acted := s.Event.Fact.(*report.ActionDone)
		out := []projector.Addition{row(recordCounters(s.After.State), flag(acted))}
		if s.Before.ID != "" {
			out = append(out, row(negative(recordCounters(s.Before.State)), 0))
		}
		return out
	},
}

// TargetRecord is a Record with the number of content actions.
type TargetRecord struct {
	Record
	Actions int64 `json:"actions"`
}

// Target returns the record of a target, zero if nobody reported it. It reads the primary
// key.
func (s *Reader) Target(ctx context.Context, c permission.Coverage, pluginID, targetType, targetID string) (TargetRecord, error) {
	var r TargetRecord
	err := s.scan(ctx, targetSummary, func(table string) squirrel.SelectBuilder {
		return inPresentScope(psql.Select(recordSums, "coalesce(sum(r.actions), 0)::bigint"), table, c).
			Where(squirrel.Eq{"r.plugin_id": pluginID, "r.target_type": targetType, "r.target_id": targetID})
	}, &r.Filed, &r.Open, &r.Upheld, &r.NotUpheld, &r.Duplicate, &r.Actions)
	return r, err
}
