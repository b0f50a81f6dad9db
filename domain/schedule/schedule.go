// Package schedule parses cron expressions and computes when a job is due. All times are UTC. Other modules must not
// import it.
package schedule

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// maxLength is the longest expression, in bytes. The longest sensible one, which lists every
// second, minute and hour, has a third of it.
const maxLength = 1024

var parser = cron.NewParser(
	cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)

// Schedule is a parsed expression. The zero Schedule has no occurrences.
type Schedule struct {
	text   string
	parsed cron.Schedule
}

// Parse parses an expression of five fields, of six with seconds first, or a name such as
// `@hourly` or `@every 90s`. An expression without occurrences, such as the 30th of
// February, is valid.
func Parse(expression string) (Schedule, error) {
	if len(expression) > maxLength {
		return Schedule{}, fmt.Errorf("schedule is longer than %d bytes", maxLength)
	}
	// Schedules are in UTC. Also, the parser panics if nothing follows a zone.
	if strings.Contains(expression, "TZ=") {
		return Schedule{}, fmt.Errorf("schedule %q names a time zone; schedules are in UTC", expression)
	}
	parsed, err := parser.Parse(expression)
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule %q: %w", expression, err)
	}
	return Schedule{text: expression, parsed: parsed}, nil
}

// String returns the expression as it was written.
func (s Schedule) String() string { return s.text }

// Next returns the first occurrence after t, or false if there is none within nine years.
// The longest gap in the calendar is eight years, between the 29th of February in 2096 and
// in 2104.
func (s Schedule) Next(t time.Time) (time.Time, bool) {
	if s.parsed == nil {
		return time.Time{}, false
	}
	t = t.UTC()
	next := s.parsed.Next(t)
	if next.IsZero() { // the library looks only five years ahead
		next = s.parsed.Next(t.AddDate(4, 0, 0))
	}
	return next, !next.IsZero()
}

// Due reports whether a job must run: whether the first occurrence after its last run, or after the
// epoch if it never ran, is not in the future. Several missed occurrences cause one run.
func (s Schedule) Due(lastRun *time.Time, now time.Time) bool {
	after := time.Unix(0, 0)
	if lastRun != nil {
		after = *lastRun
	}
	next, ok := s.Next(after)
	return ok && !next.After(now)
}
