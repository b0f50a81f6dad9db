package cmd

import (
	"encoding/json"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// Signals, measures, what rules matched, the rule that a reporter named, the source of a report and second opinions are facts of the log, which the
// server and commands sign: an export has them, rebuilding and a backup keep them, and neither the erasure of a report nor the deletion of the accounts
// of its reporter, its author and who decided again takes them or breaks a verification. So it is with the statement of a decision and with a published
// transparency report.
func TestFactsOutliveEverything(t *testing.T) {
	t.Parallel()
	w := newWitness(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit"), "DOCKET_NOTICES": "on",
		"SMTP_URL": platformtest.NewMailServer(t).URL + "?from=docket@example.test", "DOCKET_STATEMENTS_URL": "http://127.0.0.1:1", "DOCKET_STATEMENTS_TOKEN": "secret",
		"DOCKET_AUDIT_URL": w.URL, "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"} // whose statements wait for a day
	run := func(environment map[string]string, args ...string) string {
		t.Helper()
		got := docket(t, environment, args...)
		require.Zero(t, got.status, "%v: %s%s", args, got.stdout, got.stderr)
		return got.stdout
	}
	sound := func(environment map[string]string) {
		t.Helper()
		run(environment, "audit", "checkpoint")
		verified := run(environment, "audit", "verify")
		for _, said := range []string{"0 findings", "every event is signed", "when it began, 0 rows stood that no server had signed"} {
			require.Contains(t, verified, said)
		}
		require.NotRegexp(t, `[1-9]\d* wrong`, run(environment, "projections", "verify"))
	}
	p := startProcess(t, environment, "demo")
	pool := connectTo(t, environment["DATABASE_URL"])
	user := func(email string) string {
		return one[string](t, pool, `SELECT id::text FROM core_users WHERE email = $1`, email)
	}
	author := user("member2@demo.test")
	pgtest.Exec(t, pool, `UPDATE forum_posts SET author_id = $1 WHERE id = 1`, author)
	file := func(p *process, member string) string {
		t.Helper()
		status, filed, err := p.send(p.signIn(member), nethttp.MethodPost, "/moderation/reports",
			map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "rule_violation", "policy": "ads", "description": "words of a member"})
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusCreated, status, filed)
		return filed["id"].(string)
	}
	root := p.signIn("admin@demo.test")
	p.must(root, nethttp.MethodPut, "/admin/quality", map[string]any{"percent": 100, "golden": 0})
	for _, email := range []string{"member4@demo.test", "member5@demo.test"} {
		entry := p.must(root, nethttp.MethodPost, "/admin/staff/entry/moderator", map[string]any{"userId": user(email)})["id"].(string)
		p.must(root, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+entry, map[string]any{"unrestricted": true})
	}
	p.must(root, nethttp.MethodPost, "/admin/users/"+user("member1@demo.test")+"/trusted", map[string]any{"trusted": true, "name": "Hotline"})
	p.must(root, nethttp.MethodPost, "/admin/policies", map[string]any{"key": "ads", "title": "No ads", "text": "Do not advertise.", "reportable": true, "strikes": 2,
		"statement": map[string]any{"ground": "incompatible", "category": "SCAMS_AND_FRAUD"}})
	p.must(root, nethttp.MethodPost, "/admin/rules", map[string]any{"key": "named", "title": "Named", "when": `reason == "rule_violation"`, "then": map[string]any{"points": 7, "tags": []string{"named"}}})
	p.must(root, nethttp.MethodPost, "/admin/rules/named/mode", map[string]any{"mode": "live"})
	status, _, _ := p.send(&nethttp.Client{}, nethttp.MethodPost, "/notices", map[string]any{"url": p.url + "/forum/posts/2", "explanation": "xnotice: this post endangers a child, as anybody can see who reads it.",
		"category": "child_safety", "goodFaith": true, "law": "xlaw"}) // the answer is empty
	require.Equal(t, nethttp.StatusAccepted, status)
	id := file(p, "member1@demo.test")
	machine := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(run(environment, "token", "create", "--use", "signal", "--plugin", "forum")))}
	p.must(machine, nethttp.MethodPost, "/moderation/signals", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "signals": []any{map[string]any{"name": "spam", "score": 0.75}}})
	admin := p.signIn("admin@demo.test")
	read := func(p *process) map[string]any {
		t.Helper()
		return p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/reports/"+id, nil)
	}
	ladder := []any{map[string]any{"strikes": 2., "kind": "suspend", "days": nil}}
	p.must(admin, nethttp.MethodPut, "/admin/ladder", map[string]any{"steps": ladder})
	pgtest.Eventually(t, func() bool { return len(read(p)["rules"].([]any)) == 1 }, "the rule has matched")
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", map[string]any{"resolution": "action_taken", "expectedVersion": read(p)["version"],
		"policy": map[string]any{"key": "ads", "version": 1}, "measures": []any{map[string]any{"authorId": author, "kind": "suspend"}}})
	notice := func(p *process) map[string]any {
		t.Helper()
		for _, r := range p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/reports?reason=other", nil)["edges"].([]any) {
			if r := r.(map[string]any); r["source"] == "notice" {
				return p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/reports/"+r["id"].(string), nil)
			}
		}
		return nil
	}
	pgtest.Eventually(t, func() bool { return notice(p) != nil }, "the notice is filed")
	statements := func(p *process) []any {
		t.Helper()
		return p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/admin/statements?status=pending", nil)["edges"].([]any)
	}
	pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) FROM core_statements`) == 1 }, "the decision is noted")
	p.runJob(admin, "send-statements")
	pgtest.Eventually(t, func() bool { return len(statements(p)) == 1 }, "it is looked at")
	stated := statements(p)
	second := p.signIn("member4@demo.test")
	var task map[string]any
	pgtest.Eventually(t, func() bool {
		p.runJob(admin, "checkpoint")
		status, task, _ = p.send(second, nethttp.MethodPost, "/moderation/next?kind=second", nil)
		return status == nethttp.StatusOK
	}, "the decision is drawn")
	require.Contains(t, <-w.heard, "docket-audit", "a server publishes checkpoints")
	opinion := "/moderation/seconds/" + task["id"].(string)
	p.must(second, nethttp.MethodPost, opinion, map[string]any{"resolution": "no_violation"})
	p.must(p.signIn("member5@demo.test"), nethttp.MethodPost, opinion+"/settle", map[string]any{"stands": true, "reason": "xsettled, as it was."})
	settled := func(p *process) []any {
		t.Helper()
		return p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/seconds?status=settled", nil)["edges"].([]any)
	}
	pgtest.Eventually(t, func() bool { return len(settled(p)) == 1 }, "it is settled")
	agreement := func(p *process) any {
		t.Helper()
		return p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/stats/agreement?by=reason", nil)
	}
	agreed := agreement(p)
	requireFacts := func(p *process) {
		t.Helper()
		r := read(p)
		one, measure := r["signals"].([]any)[0].(map[string]any), r["measures"].([]any)[0].(map[string]any)
		require.Equal(t, []any{"forum", "spam", 0.75}, []any{one["source"], one["name"], one["score"]})
		require.Equal(t, []any{"suspend", "ladder", nil}, []any{measure["kind"], measure["because"], measure["endedAt"]})
		admin := p.signIn("admin@demo.test")
		record := p.must(admin, nethttp.MethodGet, "/moderation/authors/"+author+"?pluginId=forum", nil)
		require.Equal(t, []any{2., 1}, []any{record["strikes"], len(record["measures"].([]any))})
		require.Equal(t, ladder, p.must(admin, nethttp.MethodGet, "/admin/ladder", nil)["steps"])
		require.Equal(t, "trusted_flagger", r["source"])
		require.Equal(t, map[string]any{"key": "ads", "version": 1.0}, r["allegedPolicy"])
		matched := r["rules"].([]any)[0].(map[string]any)
		require.Equal(t, []any{"named", 1.0, "Named", false, []any{`reason == "rule_violation"`}, []any{"named"}},
			[]any{matched["rule"], matched["version"], matched["title"], matched["shadow"], matched["held"], r["tags"]})
		require.Subset(t, timelineTypes(r), []string{"signalled", "measure_imposed", "rule_matched"})
		require.Equal(t, stated, statements(p))
		require.Equal(t, "notice", notice(p)["source"])
		opinions := settled(p)[0].(map[string]any)
		require.Equal(t, []any{"action_taken", "no_violation", true}, []any{opinions["first"].(map[string]any)["resolution"],
			opinions["second"].(map[string]any)["resolution"], opinions["settled"].(map[string]any)["stands"]})
		require.Equal(t, agreed, agreement(p))
	}
	requireFacts(p)
	law := map[string]any{"name": nil, "email": nil, "law": "xlaw"}
	require.Equal(t, law, notice(p)["notice"])
	hotline := map[string]any{"name": "Hotline"}
	require.Equal(t, hotline, read(p)["flagger"])

	sound(environment)
	today := time.Now().UTC().Format(time.DateOnly)
	counted := p.must(admin, nethttp.MethodPost, "/admin/transparency", map[string]any{"since": today, "until": today})["id"].(string)
	pgtest.Eventually(t, func() bool {
		return p.must(admin, nethttp.MethodGet, "/admin/transparency/"+counted, nil)["state"] == "done"
	}, "the report is counted")
	p.must(admin, nethttp.MethodPost, "/admin/transparency/"+counted+"/publish", nil)
	published := func(p *process) map[string]any {
		t.Helper()
		return p.must(&nethttp.Client{}, nethttp.MethodGet, "/transparency/"+counted, nil)
	}
	public := published(p)
	export := run(environment, "audit", "export")
	require.Regexp(t, `"signalled".*"score":0.75`, export)
	require.Regexp(t, `"created".*"source":"trusted_flagger"`, export)
	require.Regexp(t, `"measure_imposed".*"kind":"suspend"`, export)
	require.Regexp(t, `"created".*"policy":\{"key":"ads"`, export)
	require.Regexp(t, `"rule_matched".*"rule":"named"`, export)
	require.Regexp(t, `"created".*"source":"notice"`, export)
	require.Regexp(t, `(?s)"second_decided".*"second_settled"`, export)
	for _, fact := range []string{`"signals"`, `"rules"`, `"allegedPolicy"`} {
		require.Contains(t, run(environment, "replay", id), fact)
	}
	run(environment, "projections", "rebuild")
	sound(environment)

	t.Log("a backup holds them, and what is kept for those who report later")
	backup := filepath.Join(t.TempDir(), "backup.zip")
	run(environment, "backup", backup)
	restored := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit")}
	require.Contains(t, run(restored, "restore", backup), "0 findings")
	restoreKey(t, environment["DOCKET_AUDIT_DIR"], restored["DOCKET_AUDIT_DIR"])
	there := startProcess(t, restored, "demo")
	requireFacts(there)
	require.Equal(t, hotline, read(there)["flagger"])
	require.Equal(t, law, notice(there)["notice"])
	require.Equal(t, public, published(there))
	rules := there.must(there.signIn("admin@demo.test"), nethttp.MethodGet, "/admin/rules", nil)["edges"].([]any)
	require.Equal(t, []any{"named", "live"}, []any{rules[0].(map[string]any)["key"], rules[0].(map[string]any)["mode"]})
	require.Equal(t, true, there.must(there.signIn("admin@demo.test"), nethttp.MethodGet, "/admin/users?search=member1@demo.test", nil)["edges"].([]any)[0].(map[string]any)["trusted"])
	later := file(there, "member3@demo.test")
	signals := there.must(there.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/reports/"+later, nil)["signals"].([]any)
	require.Len(t, signals, 1)

	t.Log("an erasure takes the words alone, and so does the deletion of accounts")
	run(environment, "erase", "--report", id)
	requireFacts(p)
	require.Nil(t, read(p)["flagger"])
	require.Empty(t, kept(t, pool, "xsettled"))
	run(environment, "erase", "--older-than", "0s") // as DOCKET_RETENTION does, which leaves what is open
	require.Equal(t, law, notice(p)["notice"])
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+notice(p)["id"].(string)+"/resolve", map[string]any{"resolution": "no_violation", "expectedVersion": 1})
	run(environment, "erase", "--older-than", "0s")
	requireFacts(p)
	require.Nil(t, notice(p)["notice"])
	for _, gone := range []string{"member1@demo.test", "member2@demo.test", "member4@demo.test"} {
		run(environment, "user", "delete", gone)
		requireFacts(p)
	}
	require.Nil(t, settled(p)[0].(map[string]any)["second"].(map[string]any)["by"])
	sound(environment)
	after := run(environment, "audit", "export")
	require.Contains(t, after, "signalled")
	require.Equal(t, public, published(p))
	files := map[string]string{}
	encoded, err := json.Marshal(public)
	require.NoError(t, err)
	for name, content := range map[string]string{"report.json": string(encoded), "log.ndjson": after} {
		files[name] = filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(files[name], []byte(content), 0o600))
	}
	require.Contains(t, run(environment, "transparency", "verify", files["report.json"], "--log", files["log.ndjson"]), "positions of the log say")
	require.True(t, strings.HasPrefix(after, strings.SplitAfter(export, "\n")[0][:40]))
}
