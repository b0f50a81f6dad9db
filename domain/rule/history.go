package rule

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
)

// Outcome is the outcome of a report.
type Outcome string

// The outcomes. Overturned is a decision to act that the author's appeal ended, until there is
// another decision.
const (
	Open       Outcome = "open"
	Upheld     Outcome = "upheld"
	Rejected   Outcome = "rejected"
	Duplicate  Outcome = "duplicate"
	Overturned Outcome = "overturned"
)

// maxStrikes is how many decisions of an author count for strikes: the latest.
const maxStrikes = 100

// History folds the log in order, so that at each filing it knows the state before it. It stores no
// texts, and about 350 bytes per report. It is complete, or limited to what some events need: see
// Records.
type History struct {
	// KeepFacts stores with each filing what was known then.
	KeepFacts bool
	// strikes returns how many strikes a version of a policy gives, and for how many days. Versions
	// never change.
	strikes func(policy.Ref) (strikes, days int)

	reports   map[string]*Filing
	expected  []*Filing // see Expect
	reporters map[string]*record
	targets   map[target]*subject
	authors   map[author]*past
	matches   map[Match]*Figures
	open      map[opened]int // how many open reports of a target a reporter has
	acted     map[acted]int  // on how many reports of a target action was taken, by the target's authors
}

// NewHistory returns a History of an empty log.
func NewHistory(strikes func(policy.Ref) (strikes, days int)) *History {
	return &History{strikes: strikes, reports: map[string]*Filing{}, reporters: map[string]*record{}, targets: map[target]*subject{},
		authors: map[author]*past{}, matches: map[Match]*Figures{}, open: map[opened]int{}, acted: map[acted]int{}}
}

type target struct{ plugin, kind, id string }

// author is an author id in snapshots, with its plugin, since two plugins may use the same id for
// different people.
type author struct{ plugin, id string }

type opened struct {
	target   *subject
	reporter *record
}

type acted struct {
	author *past
	target *subject
}

// record counts a reporter's reports by present outcome.
type record struct {
	id       string
	Upheld   int `json:"upheld"`
	Rejected int `json:"rejected"`
}

// subject is a target. It counts its open reports.
type subject struct {
	target
	Reporters int           `json:"reporters"` // distinct ones
	Reasons   []reasonCount `json:"reasons"`
}

type reasonCount struct {
	Reason report.Reason `json:"reason"`
	Count  int           `json:"count"`
}

// past counts the standing decisions about an author.
type past struct {
	author
	Upheld  int      `json:"upheld"` // targets
	Strikes []strike `json:"strikes,omitempty"`
}

// strike is a decision that gives strikes.
type strike struct {
	Report string
	measure.Decision
}

// Filing is a report with its state in the log so far.
type Filing struct {
	ReportID string
	At       time.Time

	reason      report.Reason
	reporter    *record
	target      *subject
	authors     []*past // each once
	outcome     Outcome
	overturning bool // the decision that follows an overturn is still to come
	matches     []Match
	known       json.RawMessage // see Facts.known; nil unless KeepFacts is set
}

// Filed folds the event that opened a report, and adds what was known before it to its facts.
func (h *History) Filed(e *report.Event, facts *Facts) *Filing {
	c := e.Fact.(*report.Created)
	// A notice has no reporter. Each counts as by a different person.
	f := h.filing(e.ReportID, cmp.Or(c.ReporterID, e.ReportID), target{c.PluginID, c.Type, c.ID}, facts.Authors)
	h.reports[e.ReportID] = f
	f.At, f.reason, f.outcome = e.OccurredAt, c.Reason, Open
	h.count(f, +1)

	for _, p := range f.authors {
		facts.AuthorUpheld = max(facts.AuthorUpheld, p.Upheld)
		facts.AuthorStrikes = max(facts.AuthorStrikes, p.strikesAt(e.OccurredAt))
	}
	facts.ReporterUpheld, facts.ReporterRejected = f.reporter.Upheld, f.reporter.Rejected
	facts.Reporters, facts.Reasons = f.target.Reporters, map[string]int{}
	for _, r := range f.target.Reasons {
		facts.Reasons[string(r.Reason)] = r.Count
	}
	if h.KeepFacts {
		f.known = facts.known()
	}
	return f
}

// filing returns a report with its reporter, target and authors.
func (h *History) filing(id, reporter string, t target, authors []string) *Filing {
	f := &Filing{ReportID: id}
	f.reporter = of(h.reporters, reporter)
	f.reporter.id = reporter
	f.target = of(h.targets, t)
	f.target.target = t
	for _, id := range authors {
		p := of(h.authors, author{t.plugin, id})
		if p.author = (author{t.plugin, id}); !slices.Contains(f.authors, p) {
			f.authors = append(f.authors, p)
		}
	}
	return f
}

func of[K comparable, V any](all map[K]*V, key K) *V {
	v := all[key]
	if v == nil {
		v = new(V)
		all[key] = v
	}
	return v
}

// Apply folds any other event. It ignores events of reports whose filing was not folded.
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
	case *report.RuleMatched:
		m := MatchOf(fact)
		f.matches = append(f.matches, m)
		of(h.matches, m).count(f.outcome, +1)
	}
}

// decide sets the report's outcome and the decision d that gave it.
func (h *History) decide(f *Filing, e *report.Event, outcome Outcome, d *report.Resolved) {
	before := f.outcome
	f.overturning, f.outcome = false, outcome
	switch {
	case before == Open && outcome != Open:
		h.count(f, -1)
	case before != Open && outcome == Open:
		h.count(f, +1)
	}
	f.reporter.count(before, -1)
	f.reporter.count(outcome, +1)
	for _, m := range f.matches {
		of(h.matches, m).count(before, -1)
		of(h.matches, m).count(outcome, +1)
	}
	for _, p := range f.authors {
		if before == Upheld {
			p.Upheld -= change(h.acted, acted{p, f.target}, -1)
			p.Strikes = slices.DeleteFunc(p.Strikes, func(s strike) bool { return s.Report == f.ReportID })
		}
		if outcome == Upheld {
			p.Upheld += change(h.acted, acted{p, f.target}, +1)
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
		p.Strikes = append(p.Strikes, strike{f.ReportID, measure.Decision{ID: id, DecidedAt: e.OccurredAt, Strikes: strikes, Days: days}})
		p.Strikes = slices.Delete(p.Strikes, 0, max(len(p.Strikes)-maxStrikes, 0))
	}
}

// count adds by, 1 or -1, to the open reports of the report's target.
func (h *History) count(f *Filing, by int) {
	t := f.target
	t.Reporters += by * change(h.open, opened{t, f.reporter}, by)
	i := slices.IndexFunc(t.Reasons, func(r reasonCount) bool { return r.Reason == f.reason })
	if i < 0 {
		t.Reasons, i = append(t.Reasons, reasonCount{Reason: f.reason}), len(t.Reasons)
	}
	if t.Reasons[i].Count += by; t.Reasons[i].Count == 0 {
		t.Reasons = slices.Delete(t.Reasons, i, i+1)
	}
}

// change adds by to the count of a key. It returns 1 if the count was or becomes 0, else 0.
func change[K comparable](all map[K]int, key K, by int) int {
	before := all[key]
	if all[key] = before + by; before+by == 0 {
		delete(all, key)
	}
	if before == 0 || before+by == 0 {
		return 1
	}
	return 0
}

// count adds by, 1 or -1, to the record's reports with the outcome.
func (r *record) count(o Outcome, by int) {
	switch o {
	case Upheld:
		r.Upheld += by
	case Rejected, Overturned:
		r.Rejected += by
	}
}

func (p *past) strikesAt(at time.Time) int {
	return measure.StrikesAt(domain.Map(p.Strikes, func(s strike) measure.Decision { return s.Decision }), at)
}
