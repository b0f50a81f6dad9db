package priority_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/priority"
	"github.com/docketmod/docket/domain/report"
)

func TestPartsTellWhyACaseComesFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		given priority.Facts
		then  []priority.Part
	}{
		"one report of somebody new": {
			priority.Facts{Gravest: report.Spam, Reporters: 1},
			[]priority.Part{{Name: priority.Reason, Points: 20}, {Name: priority.Reporters, Points: 6}},
		},
		"five reporters": {
			priority.Facts{Gravest: report.Abusive, Reporters: 5},
			[]priority.Part{{Name: priority.Reason, Points: 40}, {Name: priority.Reporters, Points: 12}},
		},
		"a crowd weighs no more than a few": {
			priority.Facts{Gravest: report.Other, Reporters: 50_000},
			[]priority.Part{{Name: priority.Reason, Points: 10}, {Name: priority.Reporters, Points: 12}},
		},
		"a trusted flagger among the reporters": {
			priority.Facts{Gravest: report.Other, Reporters: 3, Trusted: true, Upheld: 12},
			[]priority.Part{{Name: priority.Reason, Points: 10}, {Name: priority.Reporters, Points: 11}, {Name: priority.Trusted, Points: 20}, {Name: priority.Records, Points: 6}},
		},
		"reporters who were right before": {
			priority.Facts{Gravest: report.Spam, Reporters: 1, Upheld: 12},
			[]priority.Part{{Name: priority.Reason, Points: 20}, {Name: priority.Reporters, Points: 6}, {Name: priority.Records, Points: 6}},
		},
		"reporters who were wrong before": {
			priority.Facts{Gravest: report.Spam, Reporters: 1, Rejected: 4},
			[]priority.Part{{Name: priority.Reason, Points: 20}, {Name: priority.Reporters, Points: 6}, {Name: priority.Records, Points: -4}},
		},
		"content and author with a past": {
			priority.Facts{Gravest: report.RuleViolation, Reporters: 1, Target: 1, Author: 1},
			[]priority.Part{{Name: priority.Reason, Points: 30}, {Name: priority.Reporters, Points: 6}, {Name: priority.Target, Points: 6}, {Name: priority.Author, Points: 4}},
		},
		"rules that matched": {
			priority.Facts{Gravest: report.Spam, Reporters: 1, Rules: map[string]int{"links": 20, "calm": -5, "tags": 0}},
			[]priority.Part{{Name: priority.Reason, Points: 20}, {Name: priority.Reporters, Points: 6}, {Name: priority.Rules, Points: 15, Rules: []string{"calm", "links"}}},
		},
		"rules that make up for each other": {
			priority.Facts{Gravest: report.Spam, Reporters: 1, Rules: map[string]int{"a": 5, "b": -5}},
			[]priority.Part{{Name: priority.Reason, Points: 20}, {Name: priority.Reporters, Points: 6}},
		},
	} {
		require.Equal(t, test.then, priority.Parts(test.given), name)
	}
}

func TestGrowingAndWeighingAgainKeepTheRules(t *testing.T) {
	t.Parallel()
	parts := priority.Parts(priority.Facts{Gravest: report.Spam, Reporters: 1, Rules: map[string]int{"links": 20}})
	rules := parts[len(parts)-1]
	require.Contains(t, priority.Grow(parts, priority.Facts{Gravest: report.Abusive, Reporters: 2}), rules)
	require.Contains(t, priority.Reweigh(parts, priority.Facts{Author: 2}), rules)
}

func TestATrustedFlaggerWeighsOnceAndStays(t *testing.T) {
	t.Parallel()
	trusted := priority.Part{Name: priority.Trusted, Points: 20}
	parts := priority.Parts(priority.Facts{Gravest: report.Spam, Reporters: 1})
	require.NotContains(t, parts, trusted)
	grown := priority.Grow(parts, priority.Facts{Gravest: report.Spam, Reporters: 2, Trusted: true})
	require.Equal(t, priority.Parts(priority.Facts{Gravest: report.Spam, Reporters: 2, Trusted: true}), grown)
	require.Contains(t, priority.Grow(grown, priority.Facts{Gravest: report.Spam, Reporters: 3, Trusted: true}), trusted)
	require.Contains(t, priority.Grow(grown, priority.Facts{Gravest: report.Spam, Reporters: 3}), trusted)
	require.Contains(t, priority.Reweigh(grown, priority.Facts{Author: 2}), trusted)
}

func TestEarlierDecisionsHaveFullWeightWhereReadersStop(t *testing.T) {
	t.Parallel()
	score := func(f priority.Facts) int { return priority.Score(priority.Parts(f)) }
	require.Equal(t, score(priority.Facts{Target: 1_000_000}), score(priority.Facts{Target: priority.MostTarget}))
	require.Less(t, score(priority.Facts{Target: priority.MostTarget - 1}), score(priority.Facts{Target: priority.MostTarget}))
	require.Equal(t, score(priority.Facts{Author: 1_000_000}), score(priority.Facts{Author: priority.MostAuthor}))
	require.Less(t, score(priority.Facts{Author: priority.MostAuthor - 1}), score(priority.Facts{Author: priority.MostAuthor}))
}

func TestReweighingReplacesWhatWasDecidedElsewhere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := facts(t), facts(t)
		want := before
		want.Upheld, want.Rejected, want.Author = after.Upheld, after.Rejected, after.Author
		require.Equal(t, priority.Parts(want), priority.Reweigh(priority.Parts(before), after))
	})
}

func TestWaitingAddsAPointEverySixHours(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	parts := priority.Parts(priority.Facts{Gravest: report.Abusive, Reporters: 1})

	require.Equal(t, 46, priority.Score(priority.Waited(parts, since, since.Add(6*time.Hour-1))))
	require.Equal(t, 49, priority.Score(priority.Waited(parts, since, since.Add(18*time.Hour))))
	require.Equal(t, 46, priority.Score(priority.Waited(parts, since, since.Add(-time.Hour))), "a clock that is behind takes nothing off")
	require.Equal(t, 46, priority.Score(parts), "the parts that were given stay as they are")
}

func facts(t *rapid.T) priority.Facts {
	count := rapid.IntRange(0, 1_000_000)
	return priority.Facts{
		Gravest:   rapid.SampledFrom(report.Reasons).Draw(t, "gravest"),
		Reporters: count.Draw(t, "reporters"),
		Upheld:    count.Draw(t, "upheld"), Rejected: count.Draw(t, "rejected"),
		Target: count.Draw(t, "target"), Author: count.Draw(t, "author"),
	}
}

func TestPriorityIsMonotonicInEachFact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := facts(t)
		score := priority.Score(priority.Parts(f))
		more := func(change func(*priority.Facts, int)) int {
			g := f
			change(&g, rapid.IntRange(1, 1000).Draw(t, "more"))
			return priority.Score(priority.Parts(g))
		}
		require.GreaterOrEqual(t, more(func(g *priority.Facts, n int) { g.Reporters += n }), score)
		require.GreaterOrEqual(t, more(func(g *priority.Facts, n int) { g.Upheld += n }), score)
		require.LessOrEqual(t, more(func(g *priority.Facts, n int) { g.Rejected += n }), score)
		require.GreaterOrEqual(t, more(func(g *priority.Facts, n int) { g.Target += n }), score)
		require.GreaterOrEqual(t, more(func(g *priority.Facts, n int) { g.Author += n }), score)

		graver := rapid.SampledFrom(report.Reasons).Filter(func(r report.Reason) bool {
			return priority.Severity(r) >= priority.Severity(f.Gravest)
		}).Draw(t, "graver")
		require.GreaterOrEqual(t, more(func(g *priority.Facts, _ int) { g.Gravest = graver }), score)
	})
}

func TestRankOrdersAsTheScoresDoAtAnyMoment(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		a, b := priority.Parts(facts(t)), priority.Parts(facts(t))
		minute := rapid.IntRange(0, 60*24*365)
		sinceA, sinceB := start.Add(time.Duration(minute.Draw(t, "a"))*time.Minute), start.Add(time.Duration(minute.Draw(t, "b"))*time.Minute)
		now := start.AddDate(1, 0, 0).Add(time.Duration(minute.Draw(t, "later")) * time.Minute)

		scoreA, scoreB := priority.Score(priority.Waited(a, sinceA, now)), priority.Score(priority.Waited(b, sinceB, now))
		if scoreA > scoreB {
			require.Greater(t, priority.Rank(a, sinceA), priority.Rank(b, sinceB))
		}
	})
}
