// Package transparency counts the figures of a transparency report (article 24 of the Digital Services Act), from
// events alone and without their texts. Anybody with an exported log gets the same figures. Other modules must not
// import it.
package transparency

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/target"
)

// Version is the version of the present query. A report names the version that it was made with. A change of what is
// counted adds a version, so that old reports stay verifiable: cmd/testdata/transparency has one of each.
const Version = 1

// Cell is a number by its name, such as `filings.reason.spam`.
type Cell struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// Query counts the events of some days. It needs the whole log in order, up to the position of the report: earlier
// events are needed for the duration of decisions.
type Query struct {
	since, until time.Time // until is exclusive

	counts  map[string]int
	reports map[string]*filed
	took    []int // seconds from a filing to its first decision
}

// filed is the state of a report that the query needs.
type filed struct {
	at          time.Time
	decided     bool
	overturning bool // a decision follows that overturns another on appeal
	byRule      bool // a rule has hidden the content, and nobody has unhidden it since
}

// NewQuery returns the query of the days from since to until, both inclusive, in UTC. It returns an error for an
// unknown version.
func NewQuery(version int, since, until time.Time) (*Query, error) {
	if version != Version {
		return nil, fmt.Errorf("this release knows the query %d, and the report was made with %d", Version, version)
	}
	return &Query{since: since, until: until.AddDate(0, 0, 1), counts: map[string]int{}, reports: map[string]*filed{}}, nil
}

// add adds one to the count of each name, if the time is within the days.
func (q *Query) add(at time.Time, names ...string) {
	if at.Before(q.since) || !at.Before(q.until) {
		return
	}
	for _, name := range names {
		q.counts[name]++
	}
}

// Apply counts an event.
func (q *Query) Apply(e *report.Event) {
	at := e.OccurredAt
	if f, ok := e.Fact.(*report.Created); ok {
		q.reports[e.ReportID] = &filed{at: at}
		names := []string{"filings", "filings.source." + string(cmp.Or(f.Source, report.FromMember)), "filings.reason." + string(f.Reason), "filings.type." + f.Type,
			"filings.locale." + cmp.Or(f.Locale, "unknown")}
		if f.Policy != nil {
			names = append(names, "filings.policy."+f.Policy.Key)
		}
		q.add(at, names...)
		return
	}
	r := q.reports[e.ReportID]
	if r == nil {
		r = &filed{at: at} // its filing is not in this log
		q.reports[e.ReportID] = r
	}
	switch f := e.Fact.(type) {
	case *report.Resolved:
		if r.overturning { // counted as the outcome of the appeal
			r.overturning = false
			return
		}
		q.decided(r, at, f)
	case *report.ActionDone:
		q.add(at, "actions."+f.Action)
		q.automated(r, at, f)
	case *report.MeasureImposed:
		q.add(at, "measures."+string(f.Kind))
	case *report.Appealed:
		q.add(at, "appeals."+string(f.By)+".made")
	case *report.AppealDecided:
		if !f.Superseded {
			q.add(at, "appeals."+string(f.By)+"."+string(f.Outcome))
			r.overturning = f.Outcome == report.AppealOverturned && f.By == report.Author
		}
	case *report.EvidenceErased:
		q.add(at, "erasures")
	}
}

func (q *Query) decided(r *filed, at time.Time, f *report.Resolved) {
	names := []string{"decisions", "decisions.resolution." + string(f.Resolution)}
	if f.Policy != nil {
		names = append(names, "decisions.policy."+f.Policy.Key)
	}
	if f.Ground != "" {
		names = append(names, "decisions.ground."+string(f.Ground))
	}
	q.add(at, names...)
	if !r.decided && !at.Before(q.since) && at.Before(q.until) {
		q.took = append(q.took, int(max(at.Sub(r.at), 0)/time.Second))
	}
	r.decided = true
}

// automated counts hidings by rules, and those that were undone.
func (q *Query) automated(r *filed, at time.Time, f *report.ActionDone) {
	switch {
	case f.Rule != "" && f.Action == target.Hide:
		q.add(at, "automation.hidden")
		r.byRule = true
	case r.byRule && (f.Undoes == target.Hide || f.Action == target.Unhide):
		q.add(at, "automation.undone")
		r.byRule = false
	}
}

// The totals are always cells, other counts only if they are not zero.
var totals = []string{"filings", "decisions", "automation.hidden", "automation.undone", "erasures"}

// The cells of durations, in whole seconds. They are omitted if there is no decision.
const (
	median = "decisions.seconds.median"
	p90    = "decisions.seconds.p90"
)

// Cells returns the counts and durations, sorted by name.
func (q *Query) Cells() []Cell {
	var cells []Cell
	for _, name := range totals {
		if q.counts[name] == 0 {
			cells = append(cells, Cell{Name: name})
		}
	}
	for name, n := range q.counts {
		cells = append(cells, Cell{name, n})
	}
	if len(q.took) > 0 {
		took := slices.Sorted(slices.Values(q.took))
		cells = append(cells, Cell{median, nearestRank(took, 50)}, Cell{p90, nearestRank(took, 90)})
	}
	slices.SortFunc(cells, func(a, b Cell) int { return strings.Compare(a.Name, b.Name) })
	return cells
}

// nearestRank returns the percentile: the smallest value that at least percent per cent of the values do not exceed.
func nearestRank(sorted []int, percent int) int {
	return sorted[(len(sorted)*percent+99)/100-1]
}
