package rule

import (
	"time"

	"github.com/docketmod/docket/domain/report"
)

// Mode is what a rule may do.
type Mode string

// The modes. A rule in the shadow records what it matches, and changes nothing.
const (
	Draft  Mode = "draft"
	Shadow Mode = "shadow"
	Live   Mode = "live"
)

// Modes lists the modes.
var Modes = []Mode{Draft, Shadow, Live}

// MaxRules is how many rules may be in force at once.
const MaxRules = 200

// Ref names a version of a rule.
type Ref struct {
	Key     string `json:"rule"`
	Version int    `json:"version"`
}

// Rule is a version of a rule. Only its mode changes, and it retires.
type Rule struct {
	Ref
	ID          string
	Title       string
	When        string // the text of an Expression
	Then        Then
	Mode        Mode
	ModeAt      time.Time // since when: it is judged on what is filed after it
	PublishedAt time.Time
	RetiredAt   *time.Time // since when the key is not in force
	Earlier     []Was      // the modes before, the newest first, where they were asked for
}

// Was is a mode that a rule had, until the next one.
type Was struct {
	Mode  Mode
	Since time.Time
}

// ModeFor returns the mode in which a report filed at a time is judged: the mode at that time, so that it does
// not matter when the rule judges it.
func (r *Rule) ModeFor(filed time.Time) Mode {
	if filed.After(r.ModeAt) {
		return r.Mode
	}
	for _, was := range r.Earlier {
		if filed.After(was.Since) {
			return was.Mode
		}
	}
	return Draft
}

// Then is what a rule does to a report that it matches, as the events of reports keep it.
type Then = report.RuleThen
