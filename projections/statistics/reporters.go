package statistics

import "github.com/docketmod/docket/projections/projector"

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
