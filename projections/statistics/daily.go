package statistics

import (
	"slices"
	"time"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/projector"
)

// dailyFigures counts in core_projected_daily the events of each day, in UTC, in the target's scope at that time.
var dailyFigures = projector.Counted{
	Name: "daily", Version: 3,
	Keys: []projector.Column{{Name: "target_type", Type: "text"}, {Name: "day", Type: "date"}},
	Counters: []string{"opened", "first_actions", "first_action_seconds", "decided", "upheld", "not_upheld", "duplicate",
		"decided_seconds", "reopened", "actions", "appeals", "appeals_upheld", "appeals_overturned", "appeals_seconds",
		"deadlines_kept", "deadlines_missed"},
	Count: func(s projector.Step) []projector.Addition {
		var opened, first, firstSeconds, decided, decidedSeconds, reopened, acted int64
		appeals := make([]int64, 4)
		outcome := make([]int64, 3)
		age := int64(s.Event.OccurredAt.Sub(s.After.CreatedAt) / time.Second)
		switch f := s.Event.Fact.(type) {
		case *report.Created:
			opened = 1
		case *report.Resolved:
			decided, decidedSeconds, outcome = 1, age, recordCounters(s.After.State)[2:]
		case *report.Reopened:
			reopened = 1
		case *report.ActionDone:
			acted = 1
		case *report.Appealed:
			appeals[0] = 1
		case *report.AppealDecided:
			appeals = appealDecided(s, f)
		}
		if s.Before.FirstAction == nil && s.After.FirstAction != nil {
			first, firstSeconds = 1, age
		}
		counters := slices.Concat([]int64{opened, first, firstSeconds, decided}, outcome, []int64{decidedSeconds, reopened, acted}, appeals, deadline(s))
		day := s.Event.OccurredAt.UTC().Format(time.DateOnly)
		return []projector.Addition{projector.Add(report.TargetAt(s.Event, s.After.Target), []string{s.After.Target.Type, day}, counters)}
	},
}

// deadline counts, once per report, whether the deadline was met by the first decision, or missed
// because the report was announced as overdue or decided too late. Reports by muted people do not
// count.
func deadline(s projector.Step) []int64 {
	due := s.After.DueAt
	if due == nil || s.After.Muted || s.Before.FirstDecision != nil {
		return []int64{0, 0}
	}
	switch s.Event.Fact.(type) {
	case *report.Overdue:
		return []int64{0, 1}
	case *report.Resolved:
		late := s.Event.OccurredAt.After(*due)
		return []int64{flag(!late), flag(late && !s.Before.Overdue)}
	}
	return []int64{0, 0}
}

// appealDecided counts a decided appeal, with the seconds that it was open. An appeal that another
// change closed counts as overturned.
func appealDecided(s projector.Step, f *report.AppealDecided) []int64 {
	counts := []int64{0, 0, 0, 0}
	if f.Outcome == report.AppealUpheld {
		counts[1] = 1
	} else {
		counts[2] = 1
	}
	if d := s.Before.Decision; d != nil {
		for _, a := range d.Appeals {
			if a.ID == f.AppealID {
				counts[3] = int64(s.Event.OccurredAt.Sub(a.CreatedAt) / time.Second)
			}
		}
	}
	return counts
}
