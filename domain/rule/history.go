package rule

import (
	"cmp"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
)

// Outcome is what became of a report.
type Outcome string

// The outcomes. Overturned is a decision to act that an appeal of the author ended, until there is
// another decision.
const (
	Open       Outcome = "open"
	Upheld     Outcome = "upheld"
	Rejected   Outcome = "rejected"
	Duplicate  Outcome = "duplicate"
	Overturned Outcome = "overturned"
)

// History folds the log in its order, and so knows at each filing what was known then. It keeps no
// words, and some 300 bytes of each report.
type History struct {
	// strikes returns what a version of a policy gives the author, and for how many days. Versions never
	// change.
	strikes func(policy.Ref) (strikes, days int)

	reports   map[string]*Filing
	reporters map[string]*record
	targets   map[target]*subject
	authors   map[author]*past
}

// NewHistory returns a History of an empty log.
func NewHistory(strikes func(policy.Ref) (strikes, days int)) *History {
	return &History{strikes: strikes, reports: map[string]*Filing{}, reporters: map[string]*record{}, targets: map[target]*subject{}, authors: map[author]*past{}}
}

type target struct{ plugin, kind, id string }

// author is an id in snapshots. Ids of two plugins may be equal and mean two people.
type author struct{ plugin, id string }

// record counts a reporter's reports as they stand.
type record struct{ upheld, rejected int }

// subject is a target.
type subject struct {
	open []*Filing
}

// past is what was decided about an author, as it stands.
type past struct {
	upheld  map[*subject]int // how many reports of each target action was taken on
	strikes []strike
}

// strike is a decision that gives strikes.
type strike struct {
	of *Filing
	measure.Decision
}

// Filing is a report, with what the log says of it so far.
type Filing struct {
	ReportID string
	At       time.Time

	reason      report.Reason
	reporterID  string
	reporter    *record
	target      *subject
	authors     []*past
	outcome     Outcome
	overturning bool // an overturn is to be followed by its decision
}

// Outcome returns what became of the report so far.
func (f *Filing) Outcome() Outcome { return f.outcome }

// Filed folds the event that opened a report and returns its facts, without signals. words are nil if
// they were erased, and authors are then the ids that the erasure kept.
func (h *History) Filed(e *report.Event, words *report.CreatedWords, authors []string) (*Filing, *Facts) {
	c := e.Fact.(*report.Created)
	facts := &Facts{Reason: string(c.Reason), Locale: c.Locale, Type: c.Type, Plugin: c.PluginID, Muted: c.Muted, Reasons: map[string]int{}}
	if c.Scope != nil {
		facts.Scope = c.Scope.Family + ":" + c.Scope.ID
	}
	if words != nil {
		authors = report.AuthorsOf(words.Snapshot)
		content := snapshot.ContentOf(words.Snapshot)
		facts.Title, facts.Text = content.Title, content.Text
		for _, l := range likeness.LinksOf(words.Snapshot) {
			facts.Links = append(facts.Links, l.URL)
		}
	}
	f := &Filing{ReportID: e.ReportID, At: e.OccurredAt, reason: c.Reason, reporterID: c.ReporterID, outcome: Open,
		reporter: of(h.reporters, c.ReporterID), target: of(h.targets, target{c.PluginID, c.Type, c.ID})}
	f.target.open = append(f.target.open, f)
	h.reports[e.ReportID] = f

	facts.Authors = authors
	acted := map[*subject]bool{}
	for _, id := range authors {
		p := of(h.authors, author{c.PluginID, id})
		f.authors = append(f.authors, p)
		for t := range p.upheld {
			acted[t] = true
		}
		facts.AuthorStrikes = max(facts.AuthorStrikes, p.strikesAt(e.OccurredAt))
	}
	facts.AuthorUpheld = len(acted)
	facts.ReporterUpheld, facts.ReporterRejected = f.reporter.upheld, f.reporter.rejected
	people := map[string]bool{}
	for _, o := range f.target.open {
		people[o.reporterID] = true
		facts.Reasons[string(o.reason)]++
	}
	facts.Reporters = len(people)
	return f, facts
}

func of[K comparable, V any](all map[K]*V, key K) *V {
	v := all[key]
	if v == nil {
		v = new(V)
		all[key] = v
	}
	return v
}

// Apply folds any other event. One of a report whose filing was not folded changes nothing.
func (h *History) Apply(e *report.Event) {
	f := h.reports[e.ReportID]
	if f == nil {
		return
	}
	switch fact := e.Fact.(type) {
	case *report.AppealDecided:
		f.overturning = fact.Outcome == report.AppealOverturned && fact.By == report.Author && !fact.Superseded
	case *report.Resolved:
		outcome := map[report.Resolution]Outcome{report.ActionTaken: Upheld, report.NoViolation: Rejected, report.Duplicate: Duplicate}[fact.Resolution]
		if f.overturning {
			outcome = Overturned
		}
		h.decide(f, e, outcome, fact)
	case *report.Reopened:
		h.decide(f, e, Open, nil)
	case *report.Assigned:
		if f.outcome != Open { // a claim reopens a done report
			h.decide(f, e, Open, nil)
		}
	}
}

// decide gives the report another outcome, or the same by another decision, d.
func (h *History) decide(f *Filing, e *report.Event, outcome Outcome, d *report.Resolved) {
	before := f.outcome
	f.overturning, f.outcome = false, outcome
	switch {
	case before == Open && outcome != Open:
		f.target.open = slices.DeleteFunc(f.target.open, func(o *Filing) bool { return o == f })
	case before != Open && outcome == Open:
		f.target.open = append(f.target.open, f)
	}
	f.reporter.count(before, -1)
	f.reporter.count(outcome, +1)
	for _, p := range f.authors {
		if before == Upheld {
			p.undo(f)
		}
		if outcome == Upheld {
			p.act(f)
		}
	}
	if outcome != Upheld || d.Policy == nil {
		return
	}
	strikes, days := h.strikes(*d.Policy)
	if strikes == 0 {
		return
	}
	id := cmp.Or(d.DecisionID, e.ID)
	for _, p := range f.authors {
		p.strikes = append(p.strikes, strike{f, measure.Decision{ID: id, DecidedAt: e.OccurredAt, Strikes: strikes, Days: days}})
	}
}

// count adds a report with an outcome to the record, or takes it away.
func (r *record) count(o Outcome, by int) {
	switch o {
	case Upheld:
		r.upheld += by
	case Rejected, Overturned:
		r.rejected += by
	}
}

func (p *past) act(f *Filing) {
	if p.upheld == nil {
		p.upheld = map[*subject]int{}
	}
	p.upheld[f.target]++
}

func (p *past) undo(f *Filing) {
	if p.upheld[f.target]--; p.upheld[f.target] == 0 {
		delete(p.upheld, f.target)
	}
	p.strikes = slices.DeleteFunc(p.strikes, func(s strike) bool { return s.of == f })
}

func (p *past) strikesAt(at time.Time) int {
	decisions := make([]measure.Decision, len(p.strikes))
	for i, s := range p.strikes {
		decisions[i] = s.Decision
	}
	return measure.StrikesAt(decisions, at)
}
