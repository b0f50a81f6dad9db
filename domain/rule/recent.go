package rule

import "github.com/docketmod/docket/domain/report"

// Recent stores the facts of the last filings of a log, or of a part of it, which must be given in order.
type Recent struct {
	*History     // to which Apply adds the other events
	Max      int // filings

	kept []*known
}

type known struct {
	*Filing
	facts *Facts
}

// Judged is a filing on which an expression was evaluated.
type Judged struct {
	ReportID string
	Matched  bool
	Held     []string // of an expression that matched
	Outcome  Outcome
}

// Filed folds the event that opened a report. It does not store one whose evidence is erased.
func (r *Recent) Filed(e *report.Event, facts *Facts, erased bool) {
	f := r.History.Filed(e, facts)
	if !erased {
		r.kept = append(r.kept[max(0, len(r.kept)-r.Max+1):], &known{f, facts})
	}
}

// Facts returns the stored facts, by report.
func (r *Recent) Facts() map[string]*Facts {
	all := make(map[string]*Facts, len(r.kept))
	for _, k := range r.kept {
		all[k.ReportID] = k.facts
	}
	return all
}

// Concerned are the accounts and targets that facts depend on: the facts of a filing come from earlier reports by its
// reporter, on its target, and on its authors.
type Concerned struct {
	Reporters              []string
	Plugins, Types, IDs    []string // of targets
	AuthorPlugins, Authors []string // of authors
}

// Concerned returns the accounts and targets that the stored facts depend on.
func (r *Recent) Concerned() (c Concerned) {
	for _, k := range r.kept {
		t := k.target.target
		c.Reporters = append(c.Reporters, k.reporter.id)
		c.Plugins, c.Types, c.IDs = append(c.Plugins, t.plugin), append(c.Types, t.kind), append(c.IDs, t.id)
		for _, p := range k.authors {
			c.AuthorPlugins, c.Authors = append(c.AuthorPlugins, p.plugin), append(c.Authors, p.id)
		}
	}
	return c
}

// Judge evaluates the expression on each stored filing, the last one first. A failed evaluation is no match.
func (r *Recent) Judge(e *Expression) []Judged {
	all := make([]Judged, len(r.kept))
	for i, k := range r.kept {
		j := Judged{ReportID: k.ReportID, Outcome: k.outcome}
		if j.Matched, _ = e.Matches(k.facts); j.Matched {
			j.Held = e.Held(k.facts)
		}
		all[len(all)-1-i] = j
	}
	return all
}
