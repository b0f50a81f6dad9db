package projections

// reporterRecord counts what became of the reports that each account filed. A
// deleted account has none: its reports no longer say who filed them.
var reporterRecord = Projection{
	Name: "reporters", Version: 1,
	keys:     []column{{"reporter_id", "uuid"}},
	counters: []string{"filed", "open", "upheld", "not_upheld", "duplicate"},
	count: func(s step) []addition {
		var out []addition
		if id := s.after.ReporterID; id != nil {
			out = append(out, addition{dimensionsOf(s.after.Target), []string{*id}, standing(s.after.State)})
		}
		if id := s.before.ReporterID; id != nil {
			out = append(out, addition{dimensionsOf(s.before.Target), []string{*id}, negative(standing(s.before.State))})
		}
		return out
	},
}
