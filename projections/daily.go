package projections

import (
	"time"

	"github.com/docketmod/docket/domain/report"
)

// dailyFigures counts what happened on each day, in UTC.
var dailyFigures = Projection{
	Name: "daily", Version: 1,
	keys: []column{{"target_type", "text"}, {"day", "date"}},
	counters: []string{"opened", "first_actions", "first_action_seconds", "decided", "upheld", "not_upheld", "duplicate",
		"decided_seconds", "reopened", "actions"},
	count: func(s step) []addition {
		var opened, first, firstSeconds, decided, decidedSeconds, reopened, acted int64
		outcome := make([]int64, 3)
		age := int64(s.event.OccurredAt.Sub(s.after.CreatedAt) / time.Second)
		switch s.event.Fact.(type) {
		case *report.Created:
			opened = 1
		case *report.Resolved:
			decided, decidedSeconds, outcome = 1, age, standing(s.after.State)[2:]
		case *report.Reopened:
			reopened = 1
		case *report.ActionDone:
			acted = 1
		}
		if s.before.firstAction == nil && s.after.firstAction != nil {
			first, firstSeconds = 1, age
		}
		t := s.after.Target
		return []addition{{dimensionsOf(t), []string{t.Type, s.event.OccurredAt.UTC().Format(time.DateOnly)},
			append([]int64{opened, first, firstSeconds, decided}, append(outcome, decidedSeconds, reopened, acted)...)}}
	},
}
