package moderation

import (
	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
)

// RuleView is a match of a rule.
type RuleView struct {
	ruleData
	At domain.Time `json:"at"`
}

type ruleData struct {
	Rule    string          `json:"rule"` // its key
	Version int             `json:"version"`
	Title   string          `json:"title"`
	Then    report.RuleThen `json:"then"`
	Shadow  bool            `json:"shadow"` // it only recorded the match
	Held    []string        `json:"held"`   // the parts of its condition that were satisfied
}

func viewMatch(m report.RuleMatch) ruleData {
	return ruleData{m.Rule, m.Version, m.Title, m.Then, m.Shadow, domain.OrNone(m.Held)}
}

func viewRules(s *report.State) []RuleView {
	return domain.Map(s.Rules, func(m report.MatchAt) RuleView { return RuleView{viewMatch(m.RuleMatch), domain.Time(m.At)} })
}
