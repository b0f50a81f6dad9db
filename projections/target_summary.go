package projections

import "github.com/docketmod/docket/domain/report"

// targetSummary counts what became of the reports of each target.
var targetSummary = Projection{
	Name: "targets", Version: 1,
	keys:     []column{{"target_type", "text"}, {"target_id", "text"}},
	counters: []string{"filed", "open", "upheld", "not_upheld", "duplicate", "actions"},
	count: func(s step) []addition {
		row := func(counters []int64, actions int64) addition {
			t := s.after.Target
			return addition{dimensionsOf(t), []string{t.Type, t.ID}, append(counters, actions)}
		}
		_, acted := s.event.Fact.(*report.ActionDone)
		out := []addition{row(standing(s.after.State), flag(acted))}
		if s.before.ID != "" {
			out = append(out, row(negative(standing(s.before.State)), 0))
		}
		return out
	},
}
