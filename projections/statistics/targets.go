package statistics

import (
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/projector"
)

// targetSummary counts the reports of each target and their outcomes.
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
