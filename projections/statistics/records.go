package statistics

import (
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/projector"
)

// reporterRecord counts the reports that each account filed and their outcomes. A deleted account
// has no row, since its reports no longer say who filed them.
var reporterRecord = projector.Counted{
	Name: "reporters", Version: 1,
	Keys:     []projector.Column{{Name: "reporter_id", Type: "uuid"}},
	Counters: []string{"filed", "open", "upheld", "not_upheld", "duplicate"},
	Count: func(s projector.Step) []projector.Addition {
		var out []projector.Addition
		if id := s.After.ReporterID; id != nil {
			out = append(out, projector.Add(s.After.Target, []string{*id}, recordCounters(s.After.State)))
		}
		if id := s.Before.ReporterID; id != nil {
			out = append(out, projector.Add(s.Before.Target, []string{*id}, negative(recordCounters(s.Before.State))))
		}
		return out
	},
}

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

// recordCounters returns a report's counters: filed, open, upheld, not upheld, duplicate.
func recordCounters(s report.State) []int64 {
	n := make([]int64, 5)
	n[0] = 1
	if s.Status != report.Done {
		n[1] = 1
	}
	if s.Resolution != nil {
		switch *s.Resolution {
		case report.ActionTaken:
			n[2] = 1
		case report.NoViolation:
			n[3] = 1
		case report.Duplicate:
			n[4] = 1
		}
	}
	return n
}

func negative(n []int64) []int64 {
	out := make([]int64, len(n))
	for i := range n {
		out[i] = -n[i]
	}
	return out
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
