package rule

import "github.com/docketmod/docket/domain/report"

// Then is what a rule does to a report that it matches, as the events of reports keep it.
type Then = report.RuleThen

// The bounds of what a rule does.
const (
	MinPoints = report.MinRulePoints
	MaxPoints = report.MaxRulePoints
	MaxTags   = report.MaxRuleTags
)
