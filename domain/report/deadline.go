package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
)

// Deadlines are the longest times from filing to decision, by reason. Reports for a reason without
// an entry have no deadline.
type Deadlines map[Reason]time.Duration

// minDeadline is the shortest deadline.
const minDeadline = time.Second

// UnmarshalText parses deadlines such as `abusive=4h,spam=48h`. Its error names every fault.
func (d *Deadlines) UnmarshalText(text []byte) error {
	read := Deadlines{}
	var faults []error
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		reason := Reason(strings.TrimSpace(name))
		after, err := time.ParseDuration(strings.TrimSpace(value))
		switch _, twice := read[reason]; {
		case !slices.Contains(Reasons, reason):
			faults = append(faults, fmt.Errorf("%q is no reason: use %s", reason, domain.Joined(Reasons)))
		case twice:
			faults = append(faults, fmt.Errorf("%s is given twice", reason))
		case err != nil:
			faults = append(faults, fmt.Errorf("%q is not a duration such as 4h or 30m", value))
		case after < minDeadline:
			faults = append(faults, fmt.Errorf("the deadline of %s is shorter than %s", reason, minDeadline))
		}
		read[reason] = after
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	*d = read
	return nil
}

// After returns the deadline of a report for the reason, or nil if it has none.
func (d Deadlines) After(r Reason, filed time.Time) *time.Time {
	after, ok := d[r]
	if !ok {
		return nil
	}
	return new(filed.UTC().Truncate(time.Microsecond).Add(after))
}

// DecideOverdue announces that an open report has passed its deadline. It returns nothing if that
// was announced before.
func DecideOverdue(s State, now time.Time) []Fact {
	if s.Overdue || s.Status == Done || s.DueAt == nil || s.DueAt.After(now) {
		return nil
	}
	return []Fact{&Overdue{DueAt: *s.DueAt}}
}
