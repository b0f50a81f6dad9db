package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

// Step is what the ladder proposes for a number of strikes.
type Step struct {
	Strikes int  `json:"strikes"`
	Kind    Kind `json:"kind"`
	Days    *int `json:"days"` // nil means without an end
}

// Ladder proposes measures by the number of strikes. Its steps ascend. The zero Ladder proposes
// nothing.
type Ladder []Step

// The limits of a ladder.
const (
	MaxSteps       = 10
	MaxStepStrikes = 1000
)

// Check returns every fault of the ladder.
func (l Ladder) Check() (issues domain.Issues) {
	if len(l) > MaxSteps {
		issues.Add("steps", "too_many", "Must have at most %d steps.", MaxSteps)
	}
	for i, s := range l {
		fault := func(field, code, format string, args ...any) {
			issues.Add(fmt.Sprintf("steps[%d].%s", i, field), code, format, args...)
		}
		if s.Strikes < 1 || s.Strikes > MaxStepStrikes {
			fault("strikes", "out_of_range", "Must be from 1 to %d.", MaxStepStrikes)
		} else if i > 0 && s.Strikes <= l[i-1].Strikes {
			fault("strikes", "not_ascending", "Must be more than the strikes of the step before.")
		}
		if !slices.Contains(Kinds, s.Kind) {
			fault("kind", "unknown_value", "Must be one of %s.", domain.Joined(Kinds))
		} else if s.Days != nil && !s.Kind.Timed() {
			fault("days", "not_allowed", "Only restrict and suspend have an end.")
		}
		if s.Days != nil && (*s.Days < 1 || *s.Days > MaxDays) {
			fault("days", "out_of_range", "Must be from 1 to %d.", MaxDays)
		}
	}
	return issues
}

// Propose returns the highest step that the number of strikes reaches, or nil.
func (l Ladder) Propose(strikes int) *Step {
	for i := range slices.Backward(l) {
		if l[i].Strikes <= strikes {
			return &l[i]
		}
	}
	return nil
}

// Until returns when a measure that the step proposes now ends, or nil if it has no end.
func (s *Step) Until(now time.Time) *time.Time {
	if s.Days == nil {
		return nil
	}
	return new(now.UTC().Truncate(time.Microsecond).Add(time.Duration(*s.Days) * Day))
}

// formOpen is the maximum age of the proposal that a decision is based on.
const formOpen = time.Hour

// Proposed reports whether the measure equals what the step proposes now or proposed in the last
// hour, since moderators read the proposal before they decide.
func (s *Step) Proposed(r Request, now time.Time) bool {
	until := s.Until(now)
	if s.Kind != r.Kind || (until == nil) != (r.Until == nil) {
		return false
	}
	return until == nil || !r.Until.After(*until) && r.Until.After(until.Add(-formOpen))
}
