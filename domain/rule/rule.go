package rule

import (
	"time"

	"github.com/docketmod/docket/domain/report"
)

// Mode is what a rule is allowed to do.
type Mode string

// The modes. A shadow rule records its matches, and changes nothing.
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

// Rule is a version of a rule. Its mode can change, and it can retire; the rest is immutable.
type Rule struct {
	Ref
	ID          string
	Title       string
	When        string // the text of an Expression
	Then        Then
	Mode        Mode
	ModeAt      time.Time // since when: it applies to reports filed after it
	PublishedAt time.Time
	RetiredAt   *time.Time // since when the key is not in force
	Earlier     []Was      // the earlier modes, the newest first, if they were read
}

// Was is an earlier mode of a rule, until the next one.
type Was struct {
	Mode  Mode
	Since time.Time
}

// ModeFor returns the mode that applies to a report filed at a time: the mode at that time, so that it does not matter
// when the rule is evaluated.
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

// Then is what a rule does to a report that it matches. The report's events store it.
type Then = report.RuleThen
