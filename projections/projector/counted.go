package projector

import (
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// Counted is a projection that counts events of the log, each once and in order. A change of what
// it counts must increase its version: the new version is built beside the old one, which readers
// use until the new one has caught up. An event that cannot be projected pauses the build with an
// alarm; it is never skipped.
type Counted struct {
	Name    string
	Version int
	// Keys and Counters are columns of core_projected_<name>; the columns of
	// dimensions come before them.
	Keys     []Column
	Counters []string
	// Count returns what a step adds. It must depend only on the step.
	Count func(Step) []Addition
}

// ID implements Projection.
func (c Counted) ID() string { return c.Name }

// Column is a column with its type in PostgreSQL.
type Column struct{ Name, Type string }

// dimensions are the columns by which access to a row is decided.
var dimensions = []Column{{"plugin_id", "text"}, {"permission_module", "text"}, {"scope_family", "text"}, {"scope_id", "text"}}

// Step is an event with its report before and after it.
type Step struct {
	Event         report.Event
	Before, After History
}

// History is a report's state with times that are not part of the state.
type History struct {
	report.State
	FirstAction   *time.Time // when it was first assigned, acted on or resolved
	FirstDecision *time.Time // when it was first resolved
}

func (h History) evolve(e report.Event) History {
	h.State = report.Evolve(h.State, e)
	switch e.Fact.(type) {
	case *report.Assigned, *report.ActionDone, *report.Resolved:
		if h.FirstAction == nil {
			h.FirstAction = &e.OccurredAt
		}
	}
	if _, ok := e.Fact.(*report.Resolved); ok && h.FirstDecision == nil {
		h.FirstDecision = &e.OccurredAt
	}
	return h
}

// Addition is added to a row. Keys and Counters are in the projection's order.
type Addition struct {
	Dimensions [4]string
	Keys       []string
	Counters   []int64
}

// Add returns the addition of counters to the row of the keys. The row is visible within coverages
// that include the target.
func Add(t report.Target, keys []string, counters []int64) Addition {
	within := domain.OrEmpty(t.Scope)
	return Addition{Dimensions: [4]string{t.PluginID, t.PermissionModule, within.Family, within.ID}, Keys: keys, Counters: counters}
}
