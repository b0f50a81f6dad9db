package http_test

import (
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// hiddenByRule files two reports of a post, the first of which a rule hides it by.
func (b *bundle) hiddenByRule(mod *client, post string) (first, second string) {
	b.t.Helper()
	first = b.file(0, post)
	require.True(b.t, hidden(mod.awaitRules(first, 1)))
	return first, b.fileOnHidden(1, post)
}

// shown counts how often a post was shown again, and says whether it is hidden.
func (b *bundle) shown(post string) (times int, hidden bool) {
	return b.count(`SELECT count(*) FROM core_moderation_report_events e JOIN core_moderation_reports r ON r.id = e.report_id
			WHERE r.target_type = 'forum.post' AND r.target_id = $1 AND e.type = 'action' AND convert_from(e.payload, 'UTF8')::jsonb->>'undoes' = 'hide'`, post),
		pgtest.One[bool](b.t, b.pool, `SELECT hidden_at IS NOT NULL FROM forum_posts WHERE id = $1::bigint`, post)
}

func TestWhatARuleHidIsShownOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, one, two := b.admin("Rules", permission.AreaRules), b.unlimited("One"), b.unlimited("Two")
	admin.rule("hides", `reporters == 1`, "live", map[string]any{"hide": true})
	pgtest.Exec(t, b.pool, `UPDATE forum_posts SET author_id = $1, hidden_at = NULL`, b.members[8])

	decide := func(c *client, id string) { c.resolve(id, "no_violation") }
	const key = `hashtextextended('docket:hidden:forum' || E'\x1f' || 'forum.post' || E'\x1f' || '1', 0)`
	for name, test := range map[string]struct {
		post   string
		decide func(first, second string)
		shown  bool
	}{
		"by two who decide at once": {"1", func(first, second string) {
			held, err := b.pool.Acquire(t.Context())
			require.NoError(t, err)
			defer held.Release()
			pgtest.Exec(t, held, `SELECT pg_advisory_lock(`+key+`)`)
			var both sync.WaitGroup
			both.Go(func() { decide(one, first) })
			both.Go(func() { decide(two, second) })
			pgtest.Eventually(t, func() bool {
				return b.count(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid::bigint << 32 | objid::bigint = `+key) == 2
			}, "both have begun")
			pgtest.Exec(t, held, `SELECT pg_advisory_unlock(`+key+`)`)
			both.Wait()
		}, true},
		"by two who decide": {"2", func(first, second string) {
			var both sync.WaitGroup
			both.Go(func() { decide(one, first) })
			both.Go(func() { decide(two, second) })
			both.Wait()
		}, true},
		"by a decision on the case": {"3", func(first, second string) {
			body := caseBody("3", map[string]any{"resolution": "no_violation"}, first, second)
			for _, r := range body["reports"].([]map[string]any) {
				r["expectedVersion"] = one.get("/moderation/reports/" + r["id"].(string)).body["version"]
			}
			one.post("/moderation/cases/decide", body).status(nethttp.StatusOK)
		}, true},
		"by an appeal against the report that hid it": {"4", func(first, second string) {
			decide(one, second)
			b.overturn(one, two, first)
		}, true},
		"by an appeal against the other report": {"5", func(first, second string) {
			decide(one, first)
			b.overturn(one, two, second)
		}, true},
		"not by a decision on one": {"6", func(first, _ string) { decide(one, first) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := b.hiddenByRule(one, test.post)
			test.decide(first, second)
			times, hidden := b.shown(test.post)
			require.Equal(t, []any{test.shown, !test.shown}, []any{times == 1, hidden}, "%d times", times)
			require.LessOrEqual(t, times, 1)
		})
	}
	b.sound()
}

// overturn lets the author of what was reported win an appeal against an action.
func (b *bundle) overturn(maker, judge *client, report string) {
	b.t.Helper()
	maker.resolve(report, "action_taken")
	appeal := b.member(8).post("/users/decisions/"+report+"/appeal", map[string]any{"text": "I do not."}).status(nethttp.StatusCreated).body["id"].(string)
	version := judge.get("/moderation/reports/" + report).body["version"]
	judge.post("/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "Yes.", "expectedVersion": version}).status(nethttp.StatusOK)
}

// A person who hides what a rule hid before takes it over, by whichever report, and no decision undoes that.
func TestWhatAPersonHidStays(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	admin.rule("hides", `reporters == 1`, "live", map[string]any{"hide": true})
	pgtest.Exec(t, b.pool, `UPDATE forum_posts SET author_id = $1, hidden_at = NULL`, b.members[8])
	act := func(report, action string) {
		version := mod.get("/moderation/reports/" + report).body["version"]
		mod.post("/moderation/reports/"+report+"/actions/"+action, map[string]any{"expectedVersion": version}).status(nethttp.StatusOK)
	}
	for post, by := range map[string]int{"1": 0, "2": 1} {
		first, second := b.hiddenByRule(mod, post)
		act(first, "unhide")
		act([]string{first, second}[by], "hide")
		mod.resolve(first, "no_violation")
		require.True(t, hidden(mod.resolve(second, "no_violation")), "by report %d", by)
	}
	b.sound()
}

// A report names the rule whose hiding ends with the last decision of no violation, whichever report it hid the
// content by, and none where that shows nothing again.
func TestAReportNamesTheRuleThatHidItsContent(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	admin.rule("hides", `reporters == 1`, "live", map[string]any{"hide": true})
	pgtest.Exec(t, b.pool, `UPDATE forum_posts SET author_id = $1, hidden_at = NULL`, b.members[8])
	by := func(reports ...string) (rules []any) {
		for _, id := range reports {
			rules = append(rules, mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["hiddenBy"])
		}
		return rules
	}
	act := func(report, action string) {
		version := mod.get("/moderation/reports/" + report).body["version"]
		mod.post("/moderation/reports/"+report+"/actions/"+action, map[string]any{"expectedVersion": version}).status(nethttp.StatusOK)
	}

	first, second := b.hiddenByRule(mod, "1")
	require.Equal(t, []any{"hides", "hides"}, by(first, second))
	mod.resolve(first, "no_violation")
	require.Equal(t, []any{"hides", "hides"}, by(first, second), "it is hidden still")
	require.False(t, hidden(mod.resolve(second, "no_violation")))
	require.Equal(t, []any{nil, nil}, by(first, second))

	first, second = b.hiddenByRule(mod, "2")
	mod.resolve(first, "action_taken")
	require.Equal(t, []any{"hides", nil}, by(first, second), "the other decision keeps it hidden")
	require.True(t, hidden(mod.resolve(second, "no_violation")))
	require.False(t, hidden(mod.resolve(first, "no_violation")))

	first, second = b.hiddenByRule(mod, "3")
	act(second, "unhide")
	require.Equal(t, []any{nil, nil}, by(first, second), "a person has shown it")
	act(second, "hide")
	require.Equal(t, []any{nil, nil}, by(first, second), "a person hides it")
	b.sound()
}
