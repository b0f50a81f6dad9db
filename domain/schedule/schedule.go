// Package schedule reads cron expressions and tells when a job is due
// (contract section 6). All times are UTC.
package schedule

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// maxLength bounds an expression, in bytes. The longest sensible one, with every
// second, minute and hour listed, is a third of it.
const maxLength = 1024

var parser = cron.NewParser(
	cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)

// Schedule is a parsed expression. The zero Schedule never comes up.
type Schedule struct {
	text   string
	parsed cron.Schedule
}

// Parse reads five fields, or six with seconds first, or a name such as
// `@hourly` or `@every 90s`. An expression that never comes up, such as the
// 30th of February, is well formed.
func Parse(expression string) (Schedule, error) {
	if len(expression) > maxLength {
		return Schedule{}, fmt.Errorf("schedule is longer than %d bytes", maxLength)
	}
	// Schedules are in UTC; the parser moreover panics on a zone and nothing else.
	if strings.Contains(expression, "TZ=") {
		return Schedule{}, fmt.Errorf("schedule %q names a time zone; schedules are in UTC", expression)
	}
	parsed, err := parser.Parse(expression)
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule %q: %w", expression, err)
	}
	return Schedule{text: expression, parsed: parsed}, nil
}

// String is the expression as it was given.
func (s Schedule) String() string { return s.text }

// Next is the first occurrence after t; false when there is none within the
// next nine years. (The longest gap that a calendar makes is the eight years
// between the 29th of February 2096 and that of 2104.)
func (s Schedule) Next(t time.Time) (time.Time, bool) {
	if s.parsed == nil {
		return time.Time{}, false
	}
	t = t.UTC()
	next := s.parsed.Next(t)
	if next.IsZero() { // the parser's library looks five years ahead
		next = s.parsed.Next(t.AddDate(4, 0, 0))
	}
	return next, !next.IsZero()
}

// Due tells whether a job is to run now: the first occurrence after its last
// run (after the epoch when it never ran) is not in the future. Missed
// occurrences so make one run.
func (s Schedule) Due(lastRun *time.Time, now time.Time) bool {
	after := time.Unix(0, 0)
	if lastRun != nil {
		after = *lastRun
	}
	next, ok := s.Next(after)
	return ok && !next.After(now)
}
