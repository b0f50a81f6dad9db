package rule

import "github.com/docketmod/docket/domain/report"

// Match says which version of a rule matched a report, and whether in the shadow.
type Match struct {
	Ref
	Shadow bool `json:"shadow"`
}

// MatchOf returns the match that an event records.
func MatchOf(f *report.RuleMatched) Match { return Match{Ref{f.Rule, f.Version}, f.Shadow} }

// Figures counts the reports that a rule matched by outcome. An overturned decision is in Overturned
// only.
type Figures struct {
	Open       int `json:"open"`
	Upheld     int `json:"upheld"`
	Rejected   int `json:"rejected"`
	Duplicate  int `json:"duplicate"`
	Overturned int `json:"overturned"`
}

func (f *Figures) count(o Outcome, by int) {
	switch o {
	case Open:
		f.Open += by
	case Upheld:
		f.Upheld += by
	case Rejected:
		f.Rejected += by
	case Duplicate:
		f.Duplicate += by
	case Overturned:
		f.Overturned += by
	}
}
