package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/rule"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	rulestore "github.com/docketmod/docket/platform/rule"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/rules"
)

type bundle struct {
	*logtest.Database
	store *rulestore.Store
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{Database: logtest.New(t)}
	b.store = rulestore.New(b.Pool, ledger.Ledger{Now: b.Clock})
	return b
}

// rule publishes a rule and gives it a mode, a second before what comes next.
func (b *bundle) rule(t *testing.T, key, when string, mode rule.Mode) {
	t.Helper()
	_, _, err := b.store.Publish(t.Context(), b.Users[0], rule.Content{Key: key, Title: key, When: when, Then: rule.Then{Points: 5}})
	require.NoError(t, err)
	_, err = b.store.SetMode(t.Context(), b.Users[0], key, mode)
	require.NoError(t, err)
	b.Wait(time.Second)
}

// matches returns what was enqueued, as rule/version of each report, and forgets it. All of it must be
// confirmed, unless its words were erased since.
func (b *bundle) matches(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	payloads := pgtest.All[string](t, b.Pool, `DELETE FROM core_queue WHERE name = $1 RETURNING payload::text`, moderation.MatchTask)
	for _, payload := range payloads {
		var m moderation.RuleMatches
		require.NoError(t, json.Unmarshal([]byte(payload), &m))
		confirmed, err := rules.Confirm(t.Context(), b.Pool, m)
		require.NoError(t, err)
		if pgtest.One[bool](t, b.Pool, `SELECT evidence IS NOT NULL FROM core_moderation_report_events WHERE report_id = $1 AND type = 'created'`, m.ReportID) {
			require.Subset(t, confirmed.Matches, m.Matches)
		}
		for _, one := range m.Matches {
			mode := "live"
			if one.Shadow {
				mode = "shadow"
			}
			found[m.ReportID] = append(found[m.ReportID], fmt.Sprintf("%s/%d %s", one.Rule, one.Version, mode))
		}
	}
	return found
}

func (b *bundle) signal(t *testing.T, id string, score float64) {
	t.Helper()
	b.Do(t, id, 0, func(s report.State) ([]report.Fact, error) {
		facts, _ := report.DecideSignals(s, []signal.Scored{{Source: "shop", Name: "spam", Score: score, At: b.Clock()}}, b.Clock())
		return facts, nil
	})
}

func TestRulesJudgeWhatIsFiledInTheirTime(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	before := b.File(t, 0, "1")
	b.Follow(t, rules.New(nil))
	require.Zero(t, pgtest.One[int](t, b.Pool, `SELECT count(*) FROM core_rule_records`), "nobody has a rule")
	_, err := rules.New(nil).Verify(t.Context(), b.Pool, projector.Options{})
	require.ErrorIs(t, err, projector.ErrNotBuilt)
	b.Rebuild(t, rules.New(nil))

	b.Wait(time.Second)
	b.rule(t, "many", `reporters >= 2`, rule.Live)
	b.rule(t, "all", `true`, rule.Shadow)
	b.rule(t, "draft", `true`, rule.Draft)
	b.rule(t, "fails", `signals.absent > 0.5`, rule.Live)
	after, other := b.File(t, 1, "1"), b.File(t, 1, "2")
	b.Follow(t, rules.New(nil))
	require.Equal(t, map[string][]string{after: {"all/1 shadow", "many/1 live"}, other: {"all/1 shadow"}}, b.matches(t), "%s was filed before", before)
	require.Equal(t, "fails 2 no such key", pgtest.One[string](t, b.Pool, `SELECT key || ' ' || failed || ' ' || error FROM core_rule_failures`))

	t.Log("a mode counts for what is filed after it, and a rule that is retired for nothing")
	late := b.File(t, 2, "2")
	b.Wait(time.Second)
	_, err = b.store.SetMode(t.Context(), b.Users[0], "all", rule.Live)
	require.NoError(t, err)
	_, err = b.store.Retire(t.Context(), b.Users[0], "many")
	require.NoError(t, err)
	b.Wait(time.Second)
	last := b.File(t, 2, "1")
	b.Follow(t, rules.New(nil))
	require.Equal(t, map[string][]string{late: {"all/1 shadow"}, last: {"all/1 live"}}, b.matches(t))

	t.Log("a version counts for what was filed until the next one, however late that is judged")
	b.rule(t, "many", `reporters >= 3`, rule.Live)
	old := b.File(t, 3, "2")
	b.Wait(time.Second)
	b.rule(t, "many", `reporters >= 4`, rule.Live)
	fourth := b.File(t, 3, "1")
	b.Follow(t, rules.New(nil))
	require.Equal(t, map[string][]string{old: {"all/1 live", "many/2 live"}, fourth: {"all/1 live", "many/3 live"}}, b.matches(t))

	t.Log("what was erased before it could be judged is not, and a rebuild matches nothing again")
	erased := b.File(t, 3, "3")
	_, err = b.Store.Erase(t.Context(), erased, nil, report.EveryWord)
	require.NoError(t, err)
	b.Follow(t, rules.New(nil))
	require.Empty(t, b.Wrong(t, rules.New(nil)))
	b.Rebuild(t, rules.New(nil))
	require.Empty(t, b.matches(t))
	require.Empty(t, b.Wrong(t, rules.New(nil)))
	b.SQL(t, `UPDATE core_rule_records SET value = replace(value, '"reporters":4', '"reporters":5') WHERE key LIKE '["target",%'`)
	b.SQL(t, `DELETE FROM core_rule_records WHERE key = $1`, rule.KeyOfReport(last))
	require.Len(t, b.Wrong(t, rules.New(nil)), 2)
	b.SQL(t, `UPDATE core_rule_records SET value = '1000' WHERE key = '["judged"]'`)
	require.Len(t, b.Wrong(t, rules.New(nil)), 3)
	b.Rebuild(t, rules.New(nil))
	require.Empty(t, b.Wrong(t, rules.New(nil)))
}

// Given tasks that somebody wrote by SQL, when they are run, then only what rules match is recorded.
func TestOnlyMatchesOfRulesAreConfirmed(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.Rebuild(t, rules.New(nil))
	b.rule(t, "all", `true`, rule.Shadow)
	b.rule(t, "many", `reporters >= 2`, rule.Live)
	b.rule(t, "draft", `true`, rule.Draft)
	b.rule(t, "clean", `!("spam" in signals)`, rule.Live)
	id := b.File(t, 0, "1")
	b.Wait(time.Second)
	b.signal(t, id, 0.5)
	confirm := func(id string, keys ...string) (all []string) {
		m := moderation.RuleMatches{ReportID: id}
		for _, key := range keys {
			m.Matches = append(m.Matches, report.RuleMatch{Rule: key, Version: 1, Title: "Another", Then: report.RuleThen{Points: 100, Hide: true}})
		}
		confirmed, err := rules.Confirm(t.Context(), b.Pool, m)
		require.NoError(t, err)
		for _, one := range confirmed.Matches {
			require.Equal(t, report.RuleMatch{Rule: one.Rule, Version: 1, Title: one.Rule, Then: report.RuleThen{Points: 5}, Shadow: one.Rule == "all", Held: one.Held}, one)
			all = append(all, one.Rule)
		}
		return all
	}
	_, err := rules.Confirm(t.Context(), b.Pool, moderation.RuleMatches{ReportID: id, Matches: []report.RuleMatch{{Rule: "all", Version: 1}}})
	require.Error(t, err, "it is not folded yet, so the task is tried again")
	b.Follow(t, rules.New(nil))
	require.Equal(t, []string{"all", "clean", "all"}, confirm(id, "all", "many", "draft", "clean", "absent"), "as it was filed, and with the signal")
	require.Empty(t, confirm(uuid.NewString(), "all"), "there is no such report")
	_, err = b.Store.Erase(t.Context(), id, nil, report.EveryWord)
	require.NoError(t, err)
	require.Empty(t, confirm(id, "all"))
}

// Given a follower that is behind while the mode of a rule changes again and again, when it has caught up, then
// each filing was judged in the mode of its time, as if the follower had never been behind.
func TestAFilingIsJudgedInTheModeOfItsTimeHoweverLate(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.Rebuild(t, rules.New(nil))
	want := map[string][]string{}
	file := func(target, matches string) string {
		t.Helper()
		id := b.File(t, 0, target)
		if matches != "" {
			want[id] = []string{matches}
		}
		return id
	}
	set := func(mode rule.Mode) {
		t.Helper()
		b.Wait(time.Second)
		_, err := b.store.SetMode(t.Context(), b.Users[0], "all", mode)
		require.NoError(t, err)
		b.Wait(time.Second)
	}
	file("before", "")
	b.Wait(time.Second)
	b.rule(t, "all", `reporters >= 1`, rule.Draft)
	file("draft", "")
	set(rule.Shadow)
	shadowed := file("shadow", "all/1 shadow")
	set(rule.Live)
	file("live", "all/1 live")
	set(rule.Shadow)
	file("shadow again", "all/1 shadow")
	set(rule.Live)
	file("live again", "all/1 live")
	b.Wait(time.Second)
	b.rule(t, "all", `reporters >= 1 && signals[?"spam"].orValue(0.0) < 2.0`, rule.Shadow) // live for no time at all
	file("next version", "all/2 shadow")
	set(rule.Draft)
	file("draft again", "")
	b.Follow(t, rules.New(nil))
	require.Equal(t, want, b.matches(t))
	require.Empty(t, b.Wrong(t, rules.New(nil)))

	t.Log("what is filed at the moment of a change is judged in the mode before it")
	set(rule.Live)
	want = map[string][]string{}
	file("at once", "all/2 live")
	_, err := b.store.SetMode(t.Context(), b.Users[0], "all", rule.Shadow)
	require.NoError(t, err)
	b.Follow(t, rules.New(nil))
	require.Equal(t, want, b.matches(t))

	t.Log("a signal that comes later has the rule judged in the mode of the filing, unless it is a draft now")
	b.Wait(time.Second)
	b.rule(t, "all", `signals[?"spam"].orValue(0.0) > 0.5`, rule.Shadow)
	late := file("late", "")
	set(rule.Live)
	b.signal(t, late, 0.9)
	b.signal(t, shadowed, 0.9) // under a former version
	b.Follow(t, rules.New(nil))
	require.Equal(t, map[string][]string{late: {"all/3 shadow"}}, b.matches(t))
	set(rule.Draft)
	b.signal(t, late, 0.8)
	b.Follow(t, rules.New(nil))
	require.Empty(t, b.matches(t))
}

func TestLateSignalsAreJudgedWithWhatWasKnownAtTheFiling(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.rule(t, "spam", `signals[?"spam"].orValue(0.0) > 0.8 && reporters == 1`, rule.Live)
	b.rule(t, "any", `true`, rule.Live)
	first := b.File(t, 0, "1")
	b.Follow(t, rules.New(nil))
	require.Equal(t, map[string][]string{first: {"any/1 live"}}, b.matches(t))
	second := b.File(t, 1, "1")
	b.Wait(time.Second)
	b.signal(t, first, 0.9)
	b.signal(t, second, 0.9)
	b.Follow(t, rules.New(nil))
	require.Equal(t, map[string][]string{first: {"spam/1 live"}, second: {"any/1 live"}}, b.matches(t), "there were two reporters at the second")
	b.Wait(time.Second)
	b.signal(t, first, 0.1)
	b.Follow(t, rules.New(nil))
	require.Empty(t, b.matches(t), "the newest signal counts")
}

// Whatever happens, and wherever the follower stops, its records are those of a fold of the whole log,
// and the facts of a filing are those that it had then.
func TestRecordsAreTheFoldOfTheLog(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.rule(t, "any", `true`, rule.Live)
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(1, seed))
	var ids []string
	scopes, filedIn := map[string]string{}, map[string]string{} // of targets now, and of reports when they were filed
	for step := range 250 {
		b.Wait(time.Minute * time.Duration(random.IntN(3)))
		switch random.IntN(10) {
		case 0, 1, 2:
			post := fmt.Sprint(random.IntN(5))
			var in *scope.Resource
			if scopes[post] != "" {
				in = &scope.Resource{Family: "forum.category", ID: scopes[post]}
			}
			s, err := b.Store.File(t.Context(), moderation.Filing{Created: report.Created{
				Target: report.Target{PluginID: "forum", Type: "forum.post", ID: post, PermissionModule: "posts", Scope: in},
				Locale: "en", RequestedLocale: "en", Reason: report.Reasons[random.IntN(3)], ReporterID: b.Users[random.IntN(4)],
				Words: report.CreatedWords{ReporterName: "User", Title: "A title", Snapshot: json.RawMessage(fmt.Sprintf(
					`{"version":1,"title":"A title","fields":[],"authors":[{"id":"a%d","name":"A"},{"id":"a%d","name":"B"}]}`, random.IntN(3), random.IntN(3)))},
			}})
			if err == nil { // else there is an open one, or too many
				ids = append(ids, s.ID)
				if in != nil {
					filedIn[s.ID] = in.Family + ":" + in.ID
				}
			}
		case 3: // the content moves to another category, also while reports of it are open
			post, category := fmt.Sprint(random.IntN(5)), fmt.Sprint("c", random.IntN(3))
			require.NoError(t, logtest.Move(t.Context(), b.Pool, post, category))
			scopes[post] = category
		case 4, 5, 6, 7, 8:
			if len(ids) > 0 {
				b.happen(t, random, ids[random.IntN(len(ids))])
			}
		default:
			b.Follow(t, rules.New(nil))
			if step%3 == 0 && len(ids) > 0 {
				require.Empty(t, b.Wrong(t, rules.New(nil)))
			}
		}
	}
	b.Follow(t, rules.New(nil))
	require.Empty(t, b.Wrong(t, rules.New(nil)))
	require.NotEmpty(t, b.matches(t))

	strikes, err := rules.Strikes(t.Context(), b.Pool)
	require.NoError(t, err)
	h, want := rule.NewHistory(strikes), map[string]*rule.Facts{}
	end, err := eventstore.LastPosition(t.Context(), b.Pool)
	require.NoError(t, err)
	require.NoError(t, rules.Each(t.Context(), b.Pool, 0, end, func(e *rules.Told) error {
		if e.Facts == nil {
			h.Apply(&e.Event)
			return nil
		}
		h.Filed(&e.Event, e.Facts)
		if !e.Erased {
			want[e.ReportID] = e.Facts
		}
		return nil
	}))
	var all []rules.At
	for _, id := range ids {
		all = append(all, rules.At{ReportID: id, Sequence: 1})
	}
	got, err := rules.FactsOf(t.Context(), b.Pool, all)
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for _, f := range got {
		require.Equal(t, want[f.ReportID], f.Facts)
		require.Equal(t, filedIn[f.ReportID], f.Facts.Scope)
	}
	require.NotEmpty(t, filedIn)

	t.Log("and so they are of the last filings before anybody has followed a rule")
	b.SQL(t, `DELETE FROM core_rule_records`)
	for _, after := range []int64{end - 30, end / 2, 0} {
		recent, whole, err := rules.Newest(t.Context(), b.Pool, 20, 1000, after, end)
		require.NoError(t, err)
		require.True(t, whole)
		for id, facts := range recent.Facts() {
			require.Equal(t, want[id], facts, "after %d of %d", after, end)
		}
	}
}

// happen lets something happen to a report.
func (b *bundle) happen(t *testing.T, random *rand.Rand, id string) {
	try := func(decide func(s report.State) ([]report.Fact, error)) {
		_, _ = b.Store.Update(t.Context(), moderation.Ref{ReportID: id}, &b.Users[0], func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
			facts, err := decide(l.State)
			return moderation.Change{Facts: facts}, err
		})
	}
	switch random.IntN(8) {
	case 0:
		_, err := b.Store.Erase(t.Context(), id, nil, report.EveryWord)
		require.NoError(t, err)
	case 1:
		try(func(report.State) ([]report.Fact, error) {
			return report.DecideRemoveAccount(b.Users[random.IntN(4)]), nil
		})
	case 2:
		try(func(s report.State) ([]report.Fact, error) {
			return report.DecideReopen(s, b.Users[0], "wrong", s.Version)
		})
	case 3:
		try(func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, b.Users[0], s.Version) })
	case 4:
		b.Wait(time.Second) // otherwise it is as if it came with the filing
		b.signal(t, id, random.Float64())
	case 5:
		try(func(s report.State) ([]report.Fact, error) {
			return report.DecideRuleMatched(s, []report.RuleMatch{{Rule: "any", Version: 1 + random.IntN(2), Shadow: random.IntN(2) == 0}}), nil
		})
	case 6:
		try(func(s report.State) ([]report.Fact, error) {
			until, appeal := b.Clock(), uuid.NewString()
			if s.Status == report.Done && *s.Resolution == report.NoViolation {
				return []report.Fact{&report.Appealed{AppealID: appeal, By: report.Reporter},
					&report.AppealDecided{AppealID: appeal, By: report.Reporter, Outcome: report.AppealOverturned}, &report.Reopened{}}, nil
			}
			if s.Status != report.Done || *s.Resolution != report.ActionTaken {
				return nil, nil
			}
			facts := []report.Fact{&report.Appealed{AppealID: appeal, By: report.Author}, &report.AppealDecided{AppealID: appeal, By: report.Author, Outcome: report.AppealOverturned}}
			return append(facts, &report.Resolved{Resolution: report.NoViolation, AppealableUntil: &until}), nil
		})
	default:
		try(func(s report.State) ([]report.Fact, error) {
			return report.DecideResolve(s, b.Users[0], report.Resolve{Resolution: report.Resolutions[random.IntN(3)]}, s.Version)
		})
	}
}
