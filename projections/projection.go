package projections

import (
	"time"

	"github.com/docketmod/docket/domain/report"
)

// A Projection is a read model that is counted from the log, apart from
// commands. Whoever changes what it counts raises its version: the new one is
// built beside the old one, which readers use until it has caught up.
type Projection struct {
	Name    string
	Version int
	// keys and counters are columns of core_projected_<name>, keys with their
	// types; the dimensions come before them.
	keys     []column
	counters []string
	// count gives what a step adds.
	count func(step) []addition
}

type column struct{ name, kind string }

// dimensions are the columns by which a caller may see a row.
var dimensions = []column{{"plugin_id", "text"}, {"permission_module", "text"}, {"scope_family", "text"}, {"scope_id", "text"}}

// Projections are all there are.
var Projections = []Projection{targetSummary, reporterRecord, dailyFigures}

// Find gives the projection of a name.
func Find(name string) (Projection, bool) {
	for _, p := range Projections {
		if p.Name == name {
			return p, true
		}
	}
	return Projection{}, false
}

// step is an event with the report before and after it.
type step struct {
	event         report.Event
	before, after history
}

// history is a report's state with what its fold alone does not keep.
type history struct {
	report.State
	firstAction *time.Time // when it was first assigned, acted on or resolved
}

func (h history) evolve(e report.Event) history {
	h.State = report.Evolve(h.State, e)
	switch e.Fact.(type) {
	case *report.Assigned, *report.ActionDone, *report.Resolved:
		if h.firstAction == nil {
			h.firstAction = &e.OccurredAt
		}
	}
	return h
}

// addition is what a row gains; counters are in the projection's order.
type addition struct {
	dimensions [4]string
	keys       []string
	counters   []int64
}

func dimensionsOf(t report.Target) [4]string {
	d := [4]string{t.PluginID, t.PermissionModule}
	if t.Scope != nil {
		d[2], d[3] = t.Scope.Family, t.Scope.ID
	}
	return d
}

// standing is how a report counts for whatever it belongs to: filed, open,
// upheld, not upheld, duplicate.
func standing(s report.State) []int64 {
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
