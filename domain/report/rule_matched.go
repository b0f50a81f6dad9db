package report

import (
	"slices"
	"time"
)

// RuleMatchedType is the type of RuleMatched. It is internal: it does not change the report's version.
const RuleMatchedType Type = "rule_matched"

// RuleMatched records that an automatic rule matched the report, at filing or when a signal arrived. It has no actor.
// What the rule does to the content is a separate event.
type RuleMatched struct {
	noWords
	RuleMatch
}

// RuleMatch is a match of one version of a rule. All its texts are by the rule's author.
type RuleMatch struct {
	Rule    string   `json:"rule"` // its key
	Version int      `json:"version"`
	Title   string   `json:"title"`
	Then    RuleThen `json:"then"`
	// Shadow is set if the rule only recorded that it matched.
	Shadow bool `json:"shadow,omitempty"`
	// Held are the parts of the rule's condition that the facts satisfied.
	Held []string `json:"held,omitempty"`
}

// MatchAt is a match with its time.
type MatchAt struct {
	RuleMatch
	At time.Time `json:"at"`
}

// EventType implements Fact.
func (*RuleMatched) EventType() Type { return RuleMatchedType }

// DecideRuleMatched records the matches that are new to the report, each version of a rule once. They are also recorded
// on a decided report, since they count in the rule's figures.
func DecideRuleMatched(s State, matches []RuleMatch) (facts []Fact) {
	for _, m := range matches {
		known := func(at MatchAt) bool { return at.Rule == m.Rule && at.Version == m.Version }
		if !slices.ContainsFunc(s.Rules, known) {
			facts = append(facts, &RuleMatched{RuleMatch: m})
			s.Rules = append(slices.Clip(s.Rules), MatchAt{RuleMatch: m})
		}
	}
	return facts
}

// matched returns the state after a match. A live rule can only bring the deadline forward.
func matched(s State, e Event, f *RuleMatched) State {
	s.Rules = append(slices.Clip(s.Rules), MatchAt{f.RuleMatch, e.OccurredAt})
	if after := f.Then.DueAfter(); after > 0 && !f.Shadow {
		if due := s.CreatedAt.Add(after); s.DueAt == nil || due.Before(*s.DueAt) {
			s.DueAt = &due
		}
	}
	return s
}

// Tags returns the tags from live rules, sorted and unique.
func (s *State) Tags() (tags []string) {
	for _, m := range s.Rules {
		if !m.Shadow {
			tags = append(tags, m.Then.Tags...)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// HidingRule returns the first rule among the facts that hides the content, or "". It is "" if the report is done, its
// reporter is muted, or another action is pending.
func HidingRule(s State, facts []Fact) string {
	if s.Status == Done || s.Muted || s.CheckNoAction() != nil {
		return ""
	}
	for _, f := range facts {
		if m, ok := f.(*RuleMatched); ok && m.Then.Hide && !m.Shadow {
			return m.Rule
		}
	}
	return ""
}

// hiddenBy returns the rule that hid the content after an action, or "" if it is not hidden by a rule.
func hiddenBy(before string, f *ActionDone) string {
	switch {
	case f.Action == HideAction:
		return f.Rule
	case f.undone() == HideAction:
		return ""
	}
	return before
}

// HideAction is the action that rules take, on targets that have it.
const HideAction = "hide"
