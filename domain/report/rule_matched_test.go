package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
)

func newID() string { return "e" }

func TestMatchesOfRules(t *testing.T) {
	t.Parallel()
	match := func(key string, version int, then report.RuleThen) report.RuleMatch {
		return report.RuleMatch{Rule: key, Version: version, Title: "Rule " + key, Then: then, Held: []string{"muted"}}
	}
	shadow := func(m report.RuleMatch) report.RuleMatch { m.Shadow = true; return m }
	apply := func(s report.State, matches ...report.RuleMatch) ([]report.Event, report.State) {
		return report.Stamp(s, report.DecideRuleMatched(s, matches), nil, start, newID)
	}
	_, filed := report.Stamp(report.State{}, created(), ptr(ann), start, newID)
	links, later := match("links", 1, report.RuleThen{Points: 20, Tags: []string{"b", "links"}, Due: "2h"}), match("links", 2, report.RuleThen{Tags: []string{"a", "b"}, Due: "1h"})

	events, s := apply(filed, links, links, shadow(match("quiet", 1, report.RuleThen{Tags: []string{"quiet"}, Due: "1m"})))
	require.Len(t, events, 2, "each version once")
	for _, e := range events {
		require.Nil(t, e.ActorID)
		name, _ := report.PublishedAs(e)
		require.Empty(t, name, "it is internal")
	}
	require.Equal(t, filed.Version, s.Version, "it makes no decision stale")
	require.Equal(t, []report.MatchAt{{RuleMatch: links, At: start}, {RuleMatch: events[1].Fact.(*report.RuleMatched).RuleMatch, At: start}}, s.Rules)
	require.Equal(t, []string{"b", "links"}, s.Tags(), "the shadow gives no tags")
	require.Equal(t, start.Add(2*time.Hour), *s.DueAt, "nor a deadline")

	again, _ := apply(s, links)
	require.Empty(t, again, "what is known already")
	_, s = apply(s, later)
	require.Equal(t, []string{"a", "b", "links"}, s.Tags())
	require.Equal(t, start.Add(time.Hour), *s.DueAt)
	_, s = apply(s, match("slow", 1, report.RuleThen{Due: "48h"}))
	require.Equal(t, start.Add(time.Hour), *s.DueAt, "a deadline only becomes earlier")

	done := filed
	done.Status = report.Done
	events, done = apply(done, links)
	require.Len(t, events, 1, "a report that was decided meanwhile counts for the rule")
	require.Equal(t, report.Done, done.Status)
}

func TestARuleHidesWhatIsOpen(t *testing.T) {
	t.Parallel()
	facts := []report.Fact{&report.RuleMatched{RuleMatch: report.RuleMatch{Rule: "quiet", Shadow: true, Then: report.RuleThen{Hide: true}}},
		&report.RuleMatched{RuleMatch: report.RuleMatch{Rule: "tags", Then: report.RuleThen{Tags: []string{"a"}}}},
		&report.RuleMatched{RuleMatch: report.RuleMatch{Rule: "hides", Then: report.RuleThen{Hide: true}}}}
	_, filed := report.Stamp(report.State{}, created(), ptr(ann), start, newID)
	done, muted, pending := filed, filed, filed
	done.Status, muted.Muted, pending.Pending = report.Done, true, []report.PendingAction{{Action: "warn"}}
	require.Equal(t, "hides", report.HidingRule(filed, facts))
	require.Empty(t, report.HidingRule(filed, facts[:2]), "neither the shadow nor another rule")
	for _, s := range []report.State{done, muted, pending} {
		require.Empty(t, report.HidingRule(s, facts))
	}

	hide := report.ActionOn(filed, "hide", "")
	hide.Rule = "hides"
	_, hidden := report.Stamp(filed, []report.Fact{hide}, nil, start, newID)
	require.Equal(t, []any{"hides", []string{"hide"}}, []any{hidden.HiddenBy, hidden.Standing})
	for name, f := range map[string]report.Fact{"shown by somebody": report.ActionOn(hidden, "unhide", "hide"), "by an old event": report.ActionOn(hidden, "unhide", ""), "hidden by somebody": report.ActionOn(hidden, "hide", "")} {
		_, s := report.Stamp(hidden, []report.Fact{f}, ptr(ann), start, newID)
		require.Empty(t, s.HiddenBy, name)
	}
	_, s := report.Stamp(hidden, []report.Fact{report.ActionOn(hidden, "warn", "")}, ptr(ann), start, newID)
	require.Equal(t, "hides", s.HiddenBy)

	asked := report.RequestOn(filed, "hide", "")
	asked.Rule = "hides"
	_, s = report.Stamp(filed, []report.Fact{asked}, nil, start, newID)
	require.Empty(t, s.HiddenBy)
	_, s = report.Stamp(s, report.DecideOutcome(s, s.Sequence, asked, report.ActionOutcome{Changed: true}), nil, start, newID)
	require.Equal(t, "hides", s.HiddenBy, "once the platform did it")
}
