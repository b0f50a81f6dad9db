package http_test

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/rules"
)

// rule publishes a rule and gives it a mode.
func (c *client) rule(key, when, mode string, then map[string]any) {
	c.b.t.Helper()
	c.post("/admin/rules", map[string]any{"key": key, "title": "Rule " + key, "when": when, "then": then}).status(nethttp.StatusCreated)
	c.post("/admin/rules/"+key+"/mode", map[string]any{"mode": mode}).status(nethttp.StatusOK)
}

// awaitRules waits until so many rules have matched a report, and returns it.
func (c *client) awaitRules(id string, n int) map[string]any {
	c.b.t.Helper()
	var r map[string]any
	pgtest.Eventually(c.b.t, func() bool {
		r = c.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		return len(r["rules"].([]any)) >= n
	}, "rules match")
	return r
}

func (c *client) resolve(id, resolution string) map[string]any {
	c.b.t.Helper()
	version := c.get("/moderation/reports/" + id).body["version"]
	return c.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": version, "resolution": resolution}).status(nethttp.StatusOK).body
}

// fileOnHidden files a report that somebody began before the content was hidden.
func (b *bundle) fileOnHidden(member int, post string) (id string) {
	pgtest.Exec(b.t, b.pool, `UPDATE forum_posts SET hidden_at = NULL WHERE id = $1::bigint`, post)
	id = b.file(member, post)
	pgtest.Exec(b.t, b.pool, `UPDATE forum_posts SET hidden_at = now() WHERE id = $1::bigint`, post)
	return id
}

func hidden(r map[string]any) bool {
	return r["target"].(map[string]any)["current"].(map[string]any)["hidden"].(bool)
}

func TestLiveRulesActAndAPersonUndoesWhatTheyHid(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	admin.rule("hides", `reason == "spam" && reporters == 1 && type == "forum.post"`, "live", map[string]any{"points": 20, "due": "1h", "tags": []string{"b", "a"}, "hide": true})
	admin.rule("more", `reporters == 2`, "live", map[string]any{"points": 7, "tags": []string{"more"}})
	admin.rule("quiet", `true`, "shadow", map[string]any{"points": 90, "due": "1m", "tags": []string{"quiet"}, "hide": true})
	first := b.file(0, "1")
	r := mod.awaitRules(first, 2)
	match := r["rules"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"hides", 1.0, "Rule hides", false, []any{`reason == "spam"`, `reporters == 1`, `type == "forum.post"`}},
		[]any{match["rule"], match["version"], match["title"], match["shadow"], match["held"]})
	require.Equal(t, true, r["rules"].([]any)[1].(map[string]any)["shadow"])
	require.Equal(t, []any{"a", "b"}, r["tags"])
	require.NotNil(t, r["dueAt"])
	require.True(t, hidden(r))
	entries := mod.get("/moderation/reports/" + first + "/timeline").edges()
	require.Equal(t, []any{"created", "rule_matched", "rule_matched", "action"}, []any{entries[0]["type"], entries[1]["type"], entries[2]["type"], entries[3]["type"]})
	require.Equal(t, []any{nil, "hides", "hide"}, []any{entries[3]["actor"], entries[3]["data"].(map[string]any)["rule"], entries[3]["data"].(map[string]any)["action"]})
	require.Nil(t, entries[1]["actor"])

	mod.post("/moderation/reports/"+first+"/actions/unhide", map[string]any{"expectedVersion": r["version"]}).status(nethttp.StatusOK)
	second := b.file(1, "1")
	r = mod.awaitRules(second, 2)
	require.False(t, hidden(r), "what a person showed stays")

	t.Log("the points are a part of the case, each rule once, and tags find it")
	pgtest.Eventually(t, func() bool {
		parts := mod.get("/moderation/cases").edges()[0]["priority"].(map[string]any)["parts"].([]any)
		return fmt.Sprint(parts[len(parts)-1]) == "map[name:rules points:27 rules:[hides more]]"
	}, "the case rises")
	for tag, want := range map[string]int{"a": 1, "more": 1, "quiet": 0, "none": 0} {
		require.Len(t, mod.get("/moderation/reports?tag="+tag).edges(), want, tag)
		require.Len(t, mod.get("/moderation/cases?tag="+tag).edges(), min(want, 1), tag)
	}
	require.EqualValues(t, 1, mod.get("/moderation/reports/counts?tag=a").body["new"])
	mod.get("/moderation/reports?tag=No").status(nethttp.StatusBadRequest)
	require.Equal(t, []any{"a", "b"}, mod.get("/moderation/reports?tag=a").edges()[0]["tags"])
	require.Equal(t, []any{"a", "b", "more"}, mod.get("/moderation/cases?tag=more").edges()[0]["tags"], "those of all reports of the case")

	t.Log("the last no_violation undoes what a rule hid, in its own transaction")
	third := b.file(2, "2")
	require.True(t, hidden(mod.awaitRules(third, 2)))
	other := b.fileOnHidden(1, "2")
	mod.awaitRules(other, 2)
	require.True(t, hidden(mod.resolve(third, "no_violation")), "another report is open")
	r = mod.resolve(other, "no_violation")
	require.False(t, hidden(r))
	entries = mod.get("/moderation/reports/" + other + "/timeline").edges()
	last, before := entries[len(entries)-1], entries[len(entries)-2]
	require.Equal(t, []any{"resolved", "action", "unhide", "hides", before["version"]}, []any{before["type"], last["type"], last["data"].(map[string]any)["action"], last["data"].(map[string]any)["rule"], last["version"]})
	require.NotNil(t, last["actor"])

	b.sound()
	var figures []any
	pgtest.Eventually(t, func() bool {
		figures = admin.get("/admin/rules/hides/matches").status(nethttp.StatusOK).body["items"].([]any)
		return figures[0].(map[string]any)["live"].(map[string]any)["rejected"] == 1.0
	}, "the figures follow")
	require.Equal(t, map[string]any{"open": 1.0, "upheld": 0.0, "rejected": 1.0, "duplicate": 0.0, "overturned": 0.0}, figures[0].(map[string]any)["live"])
	admin.get("/admin/rules/none/matches").status(nethttp.StatusNotFound)
	done, err := rules.New(nil).Verify(t.Context(), b.pool, projector.Options{Found: func(d string) { t.Error(d) }})
	require.NoError(t, err)
	require.Zero(t, done.Wrong)

	t.Log("erasure leaves what matched, a replay has it, and nobody is told")
	_, err = b.log().Erase(t.Context(), first, nil, report.EveryWord)
	require.NoError(t, err)
	require.Len(t, mod.get("/moderation/reports/" + first).body["rules"], 2)
	require.Empty(t, mod.get("/moderation/reports/" + first + "/replay?sequence=1").body["rules"])
	require.Equal(t, []any{"a", "b"}, mod.get("/moderation/reports/" + first + "/replay?sequence=3").body["tags"])
	require.Zero(t, pgtest.One[int](t, b.pool, `SELECT count(*) FROM watermill_docket_events WHERE payload::text LIKE '%rule_matched%'`))
}

// A match that somebody wrote into the queue by SQL counts only if it is one.
func TestATaskThatNamesAMatchIsJudgedAgain(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	admin.rule("hides", `reason == "other"`, "live", map[string]any{"hide": true})
	admin.rule("quiet", `true`, "shadow", map[string]any{"points": 90})
	id := b.file(0, "1")
	mod.awaitRules(id, 1)
	pgtest.Exec(t, b.pool, `INSERT INTO core_queue (id, plugin_id, name, queue, priority, payload, status, attempts, max_attempts, available_at, created_at)
		SELECT gen_random_uuid(), plugin_id, name, queue, priority, json_build_object('reportId', $1::text, 'matches', '[{"rule": "hides", "version": 1, "title": "Rule hides", "then": {"hide": true}},
			{"rule": "invented", "version": 1, "title": "Invented", "then": {"hide": true}}]'::json), 'pending', 0, max_attempts, now(), now() FROM core_queue WHERE name = 'rules.match'`, id)
	pgtest.Eventually(t, func() bool {
		return b.count(`SELECT count(*) FROM core_queue WHERE name = 'rules.match' AND status = 'completed'`) == 2
	}, "the task that somebody wrote by SQL is done")
	r := mod.get("/moderation/reports/" + id).body
	require.Len(t, r["rules"], 1)
	require.False(t, hidden(r))
}

// Given a live rule that hides content, when a report matches it, then who follows the live feed and who has a webhook
// hears of it: of the match and the action in the one, and in the other that the content is hidden, by nobody.
func TestWhatARuleDoesIsToldAtOnce(t *testing.T) {
	t.Parallel()
	b := newEventsBundle(t)
	admin, mod, root := b.admin("Rules", permission.AreaRules), b.unlimited("Mod"), b.admin("Root")
	delivered := make(chan map[string]any, 10)
	receiver := httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		var body map[string]any
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			delivered <- body
		}
	}))
	t.Cleanup(receiver.Close)
	root.post("/admin/webhooks", map[string]any{"url": receiver.URL, "events": []string{"content.*"}}).status(nethttp.StatusCreated)
	admin.rule("hides", `reason == "spam"`, "live", map[string]any{"hide": true})
	feed := b.stream(mod, "")
	next(t, feed)

	id := b.file(0, "1")
	for _, want := range []string{"created", "rule_matched", "action"} {
		frame := next(t, feed)
		require.Equal(t, want, frame["event"])
		require.Contains(t, frame["data"], id)
	}
	told := <-delivered
	require.Equal(t, "content.forum.post.hidden", told["type"])
	data := told["data"].(map[string]any)
	require.Equal(t, []any{"1", ""}, []any{data["contentId"], data["actorUserId"]})
}

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

	// A person who hides what a rule hid before takes it over, by whichever report, and no decision undoes that.
	for n, post := range []string{"3", "4"} {
		first, second = b.hiddenByRule(mod, post)
		act(first, "unhide")
		require.Equal(t, []any{nil, nil}, by(first, second), "a person has shown it")
		act([]string{first, second}[n], "hide")
		require.Equal(t, []any{nil, nil}, by(first, second), "a person hides it")
		mod.resolve(first, "no_violation")
		require.True(t, hidden(mod.resolve(second, "no_violation")))
	}
	b.sound()
}
