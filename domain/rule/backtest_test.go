package rule_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/domain/snapshot"
)

// event returns an event at a minute of the test's day.
func event(reportID string, sequence, minute int, f report.Fact) report.Event {
	return report.Event{ID: fmt.Sprintf("%s-%d", reportID, sequence), ReportID: reportID, Sequence: sequence, Type: f.EventType(), Fact: f,
		OccurredAt: time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)}
}

func created(reporter, target string, authors ...string) *report.Created {
	s := map[string]any{"version": 1, "title": "Post " + target, "fields": []any{}, "authors": []any{}}
	for _, a := range authors {
		s["authors"] = append(s["authors"].([]any), map[string]string{"id": a, "name": a})
	}
	stored, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return &report.Created{Target: report.Target{PluginID: "forum", Type: "post", ID: target}, Reason: report.Spam, ReporterID: reporter, Words: report.CreatedWords{Snapshot: stored}}
}

func contentOf(c *report.Created) *snapshot.Content { return new(snapshot.ContentOf(c.Words.Snapshot)) }

// strikesOf gives one strike for a day by the first version of any policy, and two by others.
func strikesOf(p policy.Ref) (strikes, days int) { return p.Version, 1 }

func backtest(t *testing.T, when string, events []report.Event) rule.Result {
	t.Helper()
	e, issues := rule.Parse(when)
	require.Empty(t, issues)
	b := &rule.Backtest{History: rule.NewHistory(strikesOf), When: e}
	for i := range events {
		if c, ok := events[i].Fact.(*report.Created); ok {
			b.Filed(&events[i], rule.FactsOf(c, contentOf(c), nil, signalsWith(events, i)...), false)
		} else {
			b.Apply(&events[i])
		}
	}
	return b.Result()
}

// signalsWith returns the signals that came with the filing at i.
func signalsWith(events []report.Event, i int) (all []*report.Signalled) {
	for _, e := range events[i+1:] {
		if s, ok := e.Fact.(*report.Signalled); ok && e.ReportID == events[i].ReportID && e.OccurredAt.Equal(events[i].OccurredAt) {
			all = append(all, s)
		}
	}
	return all
}

var spamRule = &policy.Ref{Key: "spam", Version: 1}

func TestAFilingIsJudgedByWhatWasKnownThen(t *testing.T) {
	t.Parallel()
	acted, rejected := &report.Resolved{Resolution: report.ActionTaken, Policy: spamRule}, &report.Resolved{Resolution: report.NoViolation}
	history := []report.Event{
		event("a", 1, 0, created("mina", "1", "joe")),
		event("b", 1, 1, created("omar", "1", "joe")), // a second reporter
		event("a", 2, 2, acted),
		event("c", 1, 3, created("mina", "2", "joe")), // mina was right, and joe has a strike
		event("b", 2, 4, rejected),
		event("d", 1, 5, created("omar", "3", "ann")), // omar was wrong
		event("a", 3, 6, &report.AppealDecided{By: report.Author, Outcome: report.AppealOverturned}),
		event("a", 4, 6, rejected),
		event("e", 1, 7, created("mina", "4", "joe")), // neither is so any more
		event("c", 2, 8, acted),
		event("c", 3, 2000, &report.Reopened{}),
		event("f", 1, 2001, created("mina", "2", "joe")),
	}
	for when, want := range map[string][]rule.Example{
		`reporters == 2`:         {{ReportID: "b", Outcome: rule.Rejected}, {ReportID: "f", Outcome: rule.Open}}, // mina twice is one
		`reasons["spam"] == 2`:   {{ReportID: "b", Outcome: rule.Rejected}, {ReportID: "f", Outcome: rule.Open}},
		`reporter.upheld == 1`:   {{ReportID: "c", Outcome: rule.Open}},
		`author.upheld == 1`:     {{ReportID: "c", Outcome: rule.Open}},
		`author.strikes == 1`:    {{ReportID: "c", Outcome: rule.Open}},
		`reporter.rejected == 1`: {{ReportID: "d", Outcome: rule.Open}, {ReportID: "e", Outcome: rule.Open}, {ReportID: "f", Outcome: rule.Open}},
		`title == "Post 1"`:      {{ReportID: "a", Outcome: rule.Overturned}, {ReportID: "b", Outcome: rule.Rejected}},
	} {
		got := backtest(t, when, history)
		if when == `reporters == 2` {
			want = want[:1]
		}
		require.Equal(t, want, got.Examples, when)
		require.Equal(t, 6, got.Evaluated)
	}
}

func TestAResultCountsWhatBecameOfTheMatches(t *testing.T) {
	t.Parallel()
	resolutions := []report.Resolution{report.ActionTaken, report.ActionTaken, report.ActionTaken, report.NoViolation, report.Duplicate}
	var history []report.Event
	for i := range 500 {
		id := fmt.Sprintf("%03d", i)
		history = append(history, event(id, 1, i, created("mina", id, "joe")))
		if i < 250 {
			history = append(history, event(id, 2, i, &report.Resolved{Resolution: resolutions[i%5]}))
		}
	}
	got := backtest(t, `title != ""`, history)
	precision := 0.75
	require.Equal(t, &precision, got.Precision)
	require.Equal(t, []int{500, 500, 0, 0, 250, 150, 50, 50, 0},
		[]int{got.Evaluated, got.Matched, got.Erased, got.Failed, got.Open, got.Upheld, got.Rejected, got.Duplicate, got.Overturned})
	require.Len(t, got.Examples, rule.MaxExamples)
	require.Equal(t, "495", got.Examples[99].ReportID)
	require.Equal(t, "8fdb32", backtest(t, `muted`, nil).WhenHash[:6])

	// A signal that came with the filing is a fact of it, and one that came later is not.
	with := &report.Signalled{Source: "shop", Signals: []report.SignalAt{{Signal: signal.Signal{Name: "spam", Score: 0.9}}}}
	signalled := []report.Event{event("a", 1, 0, created("mina", "1")), event("a", 2, 0, with), event("b", 1, 0, created("mina", "2")), event("b", 2, 1, with)}
	require.Equal(t, []rule.Example{{ReportID: "a", Outcome: rule.Open}}, backtest(t, `signals[?"spam"].orValue(0.0) > 0.8`, signalled).Examples)

	got = backtest(t, `signals.absent > 0.5`, history)
	require.Equal(t, []int{500, 500, 0}, []int{got.Evaluated, got.Failed, got.Matched})
	require.Nil(t, got.Precision)
}

func TestABacktestComparesTwoConditionsInOnePass(t *testing.T) {
	t.Parallel()
	b := rule.Backtest{History: rule.NewHistory(strikesOf)}
	b.When, _ = rule.Parse(`title in ["Post 1", "Post 2", "Post 3"]`)
	b.Against, _ = rule.Parse(`title in ["Post 3", "Post 4"] || title == "Post 5" && signals.absent > 0.5`)
	for i := range 10 {
		e := event(fmt.Sprint(i), 1, i, created("mina", fmt.Sprint(i), "joe"))
		c := e.Fact.(*report.Created)
		b.Filed(&e, rule.FactsOf(c, contentOf(c), nil), false)
	}
	got := b.Result()
	require.Equal(t, []int{3, 1, 2, 1, 0}, []int{got.Matched, *got.Both, *got.OnlyNew, *got.OnlyOld, got.Failed})
	require.Nil(t, backtest(t, `muted`, nil).Both)
}

func TestABacktestHasARange(t *testing.T) {
	t.Parallel()
	var history []report.Event
	for i := range 100 {
		history = append(history, event(fmt.Sprint(i), 1, i, created("mina", fmt.Sprint(i), "joe")))
	}
	parse := func(when string) *rule.Expression {
		e, issues := rule.Parse(when)
		require.Empty(t, issues)
		return e
	}
	since, until := history[10].OccurredAt, history[20].OccurredAt
	b := rule.Backtest{History: rule.NewHistory(strikesOf), Since: &since, Until: &until,
		When: parse(`title in ["Post 9", "Post 10", "Post 19", "Post 20"]`)}
	for i := range history {
		c := history[i].Fact.(*report.Created)
		b.Filed(&history[i], rule.FactsOf(c, contentOf(c), nil), i == 15)
	}
	got := b.Result()
	require.Equal(t, []int{9, 1, 2}, []int{got.Evaluated, got.Erased, got.Matched})
}

// Whatever happens to reports, the facts of each filing are those that a naive count over the events
// before it finds, also where of all records only those are at hand that a piece of the log needs.
func TestFactsOfAFilingAreThoseOfTheEventsBeforeIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var log []report.Event
		sequences := map[string]int{}
		pick := func(label string, n int) int { return rapid.IntRange(0, n-1).Draw(t, label) }
		for minute := range rapid.IntRange(1, 60).Draw(t, "steps") {
			id := fmt.Sprint(pick("report", 12))
			sequences[id]++
			add := func(f report.Fact) { log = append(log, event(id, sequences[id], 200*minute, f)) } // strikes run out after a few steps
			if sequences[id] == 1 {
				c := created(fmt.Sprint("reporter", pick("reporter", 3)), fmt.Sprint(pick("target", 4)),
					[]string{"joe", "ann", "bob"}[:1+pick("authors", 3)]...)
				c.Reason = report.Reasons[pick("reason", 4)]
				if in := pick("category", 3); in > 0 { // the target has moved since its last report
					c.Scope = &scope.Resource{Family: "category", ID: fmt.Sprint(in)}
				}
				add(c)
				continue
			}
			switch pick("kind", 6) {
			case 0:
				add(&report.Reopened{})
			case 1:
				add(&report.AppealDecided{By: report.Author, Outcome: report.AppealOverturned})
				sequences[id]++
				add(&report.Resolved{Resolution: report.NoViolation})
			case 2:
				add(&report.AccountRemoved{UserID: "reporter0"})
			case 3:
				add(&report.RuleMatched{RuleMatch: report.RuleMatch{Rule: "a", Version: 1 + pick("version", 2), Shadow: pick("shadow", 2) == 1}})
			default:
				r := &report.Resolved{Resolution: report.Resolutions[pick("resolution", 3)]}
				if pick("policy", 2) == 1 {
					r.Policy = &policy.Ref{Key: "spam", Version: 1 + pick("version", 2)}
				}
				add(r)
			}
		}

		whole, stored := rule.NewHistory(strikesOf), rule.Records{}
		whole.KeepFacts = true
		for from := 0; from < len(log); {
			to := from + 1 + pick("piece", min(len(log)-from, 9))
			part := rule.NewHistory(strikesOf)
			part.KeepFacts = true
			loadPart(t, part, stored, log[from:to])
			for i := from; i < to; i++ {
				e := &log[i]
				c, ok := e.Fact.(*report.Created)
				if !ok {
					whole.Apply(e)
					part.Apply(e)
					continue
				}
				facts, partly := rule.FactsOf(c, contentOf(c), nil), rule.FactsOf(c, contentOf(c), nil)
				whole.Filed(e, facts)
				part.Filed(e, partly)
				require.Equal(t, facts, partly)
				requireNaive(t, log[:i], *e, c, facts)
			}
			for key := range stored {
				if slices.Contains(part.Keys(), key) {
					delete(stored, key)
				}
			}
			maps.Copy(stored, part.Records())
			from = to
		}
		require.Equal(t, whole.Records(), stored)
		requireFigures(t, log, stored)
	})
}

// loadPart loads what a piece of the log needs.
func loadPart(t *rapid.T, h *rule.History, stored rule.Records, piece []report.Event) {
	for _, e := range piece {
		switch f := e.Fact.(type) {
		case *report.Created:
			h.Expect(f, report.AuthorsOf(f.Words.Snapshot))
		case *report.RuleMatched:
			h.ExpectMatch(rule.MatchOf(f))
		}
		if text, ok := stored[rule.KeyOfReport(e.ReportID)]; ok {
			require.NoError(t, h.LoadReport(e.ReportID, text))
		}
	}
	needed := rule.Records{}
	for _, key := range h.Keys() {
		if text, ok := stored[key]; ok {
			needed[key] = text
		}
	}
	require.NoError(t, h.Load(needed))
}

// requireFigures counts the open reports that each rule matched, and those that are not.
func requireFigures(t *rapid.T, log []report.Event, stored rule.Records) {
	states, want := map[string]report.State{}, map[string]int{}
	for _, e := range log {
		states[e.ReportID] = report.Evolve(states[e.ReportID], e)
	}
	for _, s := range states {
		for _, m := range s.Rules {
			if s.Status != report.Done {
				want[rule.KeyOfMatch(rule.Match{Ref: rule.Ref{Key: m.Rule, Version: m.Version}, Shadow: m.Shadow})]++
			}
		}
	}
	for key, n := range want {
		var f rule.Figures
		require.NoError(t, json.Unmarshal([]byte(stored[key]), &f))
		require.Equal(t, n, f.Open)
	}
}

// requireNaive folds each report of the log by itself, and counts.
func requireNaive(t *rapid.T, log []report.Event, e report.Event, c *report.Created, got *rule.Facts) {
	reporterOf := map[string]string{}
	states, last := map[string]report.State{}, map[string]report.Event{}
	for _, before := range log {
		states[before.ReportID] = report.Evolve(states[before.ReportID], before)
		switch f := before.Fact.(type) {
		case *report.Created:
			reporterOf[before.ReportID] = f.ReporterID // also of an account that is deleted
		case *report.Resolved:
			last[before.ReportID] = before
		}
	}
	reporters, reasons, acted := map[string]bool{c.ReporterID: true}, map[string]int{string(c.Reason): 1}, map[string]map[string]bool{}
	var upheld, rejected int
	decisions := map[string][]measure.Decision{}
	for id, s := range states {
		if s.Target.ID == c.ID && s.Status != report.Done {
			reporters[reporterOf[id]] = true
			reasons[string(s.Reason)]++
		}
		if s.Status != report.Done {
			continue
		}
		if reporterOf[id] == c.ReporterID && *s.Resolution == report.ActionTaken {
			upheld++
		}
		if reporterOf[id] == c.ReporterID && *s.Resolution == report.NoViolation {
			rejected++
		}
		for _, a := range report.AuthorsOf(s.Snapshot) {
			if *s.Resolution != report.ActionTaken || !slices.Contains(got.Authors, a) {
				continue
			}
			if acted[a] == nil {
				acted[a] = map[string]bool{}
			}
			acted[a][s.Target.ID] = true
			if s.Decision != nil && s.Decision.Policy != nil {
				n, days := strikesOf(*s.Decision.Policy)
				decisions[a] = append(decisions[a], measure.Decision{ID: id, DecidedAt: last[id].OccurredAt, Strikes: n, Days: days})
			}
		}
	}
	strikes, most := 0, 0
	for _, targets := range acted {
		most = max(most, len(targets))
	}
	for _, d := range decisions {
		strikes = max(strikes, measure.StrikesAt(d, e.OccurredAt))
	}
	in := ""
	if c.Scope != nil {
		in = c.Scope.Family + ":" + c.Scope.ID
	}
	require.Equal(t, []any{in, len(reporters), reasons, upheld, rejected, most, strikes},
		[]any{got.Scope, got.Reporters, got.Reasons, got.ReporterUpheld, got.ReporterRejected, got.AuthorUpheld, got.AuthorStrikes})
}
