package report

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

// The bounds of what a rule does.
const (
	MinRulePoints = -50
	MaxRulePoints = 100
	MaxRuleTags   = 5

	minRuleDue, maxRuleDue = time.Minute, 365 * 24 * time.Hour
)

// RuleThen is what a rule does to a report that it matches. It never decides the report.
type RuleThen struct {
	Points int      `json:"points,omitempty"` // added to the case's priority
	Due    string   `json:"due,omitempty"`    // after filing, such as "1h": an earlier deadline
	Tags   []string `json:"tags,omitempty"`   // sorted, each once
	Hide   bool     `json:"hide,omitempty"`   // the target, until a person unhides it
}

var tag = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// ValidTag reports whether s has the form of a tag.
func ValidTag(s string) bool { return tag.MatchString(s) }

// DueAfter returns the time from filing to the deadline, or 0.
func (t RuleThen) DueAfter() time.Duration {
	d, _ := time.ParseDuration(t.Due) // checked when the rule was published
	return d
}

// Check returns the normalized form and every fault.
func (t RuleThen) Check() (RuleThen, []domain.Issue) {
	var issues domain.Issues
	if t.Points < MinRulePoints || t.Points > MaxRulePoints {
		issues.Add("then.points", "out_of_range", "Must be from %d to %d.", MinRulePoints, MaxRulePoints)
	}
	if t.Due != "" {
		switch d, err := time.ParseDuration(t.Due); {
		case err != nil:
			issues.Add("then.due", "invalid", "Must be a duration such as 30m or 1h.")
		case d < minRuleDue || d > maxRuleDue:
			issues.Add("then.due", "out_of_range", "Must be from 1m to 8760h.")
		}
	}
	if len(t.Tags) > MaxRuleTags {
		issues.Add("then.tags", "too_many", "Must be at most %d tags.", MaxRuleTags)
	}
	for i, name := range t.Tags[:min(len(t.Tags), MaxRuleTags)] { // a body can hold very many
		if !ValidTag(name) {
			issues.Add(fmt.Sprintf("then.tags[%d]", i), "invalid", "Must be 1 to 32 lowercase letters, digits and dashes.")
		}
	}
	t.Tags = slices.Compact(slices.Sorted(slices.Values(t.Tags)))
	if t.Points == 0 && t.Due == "" && len(t.Tags) == 0 && !t.Hide {
		issues.Add("then", "required", "Must do something: points, due, tags or hide.")
	}
	return t, issues
}

// Equal reports whether both do the same.
func (t RuleThen) Equal(o RuleThen) bool {
	return t.Points == o.Points && t.Due == o.Due && t.Hide == o.Hide && slices.Equal(t.Tags, o.Tags)
}
