package report

import (
	"slices"
	"time"
)

// RuleMatchedType is the type of RuleMatched. It is internal: it does not change the version.
const RuleMatchedType Type = "rule_matched"

// RuleMatched records that an automatic rule matched the report, with what was known when it was filed or
// when a signal came. It has no actor. What it does to the content is an event of its own.
type RuleMatched struct {
	noWords
	RuleMatch
}

// RuleMatch is a match of one version of a rule. All of it is what the rule's author wrote.
type RuleMatch struct {
	Rule    string   `json:"rule"` // its key
	Version int      `json:"version"`
	Title   string   `json:"title"`
	Then    RuleThen `json:"then"`
	// Shadow is set if the rule only recorded that it matched.
	Shadow bool `json:"shadow,omitempty"`
	// Held are the parts of the rule's condition that held.
	Held []string `json:"held,omitempty"`
}

// MatchAt is a match with its time.
type MatchAt struct {
	RuleMatch
	At time.Time `json:"at"`
}

// EventType implements Fact.
func (*RuleMatched) EventType() Type { return RuleMatchedType }

// DecideRuleMatched records the matches that are new to the report, each version of a rule once. A
// report that was decided in the meantime has them too: they count for the rule, whatever became of it.
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

// matched returns the state after a match. A rule that is live makes the report due no later than it says.
func matched(s State, e Event, f *RuleMatched) State {
	s.Rules = append(slices.Clip(s.Rules), MatchAt{f.RuleMatch, e.OccurredAt})
	if after := f.Then.DueAfter(); after > 0 && !f.Shadow {
		if due := s.CreatedAt.Add(after); s.DueAt == nil || due.Before(*s.DueAt) {
			s.DueAt = &due
		}
	}
	return s
}

// Tags returns the tags that live rules gave the report, sorted, each once.
func (s *State) Tags() (tags []string) {
	for _, m := range s.Rules {
		if !m.Shadow {
			tags = append(tags, m.Then.Tags...)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// HidingRule returns the first rule among the facts that is to hide the content, or "". A report that is done,
// that a muted reporter filed or that waits for another action hides nothing.
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

// hiddenBy returns the rule that hid the content after an action, or "" if a person did or nobody.
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
