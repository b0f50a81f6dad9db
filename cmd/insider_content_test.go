package cmd

import (
	"fmt"
	"io"
	"maps"
	nethttp "net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	seconds "github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// contentOfEveryKind makes a database with rows in every table, by the commands that people
// give and by the jobs of a server that has ended, and returns its settings and its name.
func contentOfEveryKind(t *testing.T) (environment map[string]string, database string) {
	t.Helper()
	shop, hooks := newShop(t), newDeliveries(t)
	environment = map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit"), "DOCKET_DATA_DIR": t.TempDir(),
		"DOCKET_WEBHOOK_ALLOW_PRIVATE": "true", "DOCKET_SECRETS_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "SMTP_URL": platformtest.NewMailServer(t).URL + "?from=docket@example.test", "DOCKET_DEADLINES": "abusive=1s,spam=48h", "DOCKET_NOTICES": "on"}
	pool, err := postgres.Open(t.Context(), environment["DATABASE_URL"], postgres.Options{MaxConns: 1})
	require.NoError(t, err)
	defer pool.Close()
	p := startWithShop(t, environment, shop.server.URL)
	admin, moderator := p.signIn("admin@demo.test"), p.signIn("moderator@demo.test")
	post := func(client *nethttp.Client, path string, body any) map[string]any {
		t.Helper()
		status, answer, err := p.send(client, nethttp.MethodPost, path, body)
		require.True(t, err == nil || status == nethttp.StatusNoContent, err)
		require.Less(t, status, 300, "%s: %v", path, answer)
		return answer
	}
	user := func(email string) string {
		return one[string](t, pool, `SELECT id::text FROM core_users WHERE email = $1`, email)
	}

	post(admin, "/admin/webhooks", map[string]any{"url": hooks.URL, "events": []string{"*"}})
	post(admin, "/admin/webhooks", map[string]any{"url": "http://127.0.0.1:1/", "events": []string{"*"}, "scope": map[string]any{"family": "forum.category", "mode": "selected", "ids": []string{"general"}}})
	for _, policy := range []string{"no-shops", "no-shops", "no-spam"} {
		post(admin, "/admin/policies", map[string]any{"key": policy, "title": "Be fair", "text": "Text " + fmt.Sprint(time.Now()), "template": "You were not fair.", "strikes": 2, "strikeDays": 30,
			"reportable": true, "statement": map[string]any{"ground": "incompatible", "category": "VIOLENCE"}})
	}
	post(admin, "/admin/policies/no-spam/retire", nil)
	for range 2 {
		post(admin, "/admin/policies", map[string]any{"key": "two-keys", "title": "Be fair", "text": "Text " + fmt.Sprint(time.Now()), "secondKey": true})
	}
	for _, sender := range []map[string]any{{"name": "Ada", "email": "ada@example.test"}, {"category": "child_safety"}} {
		maps.Copy(sender, map[string]any{"url": p.url + "/forum/posts/3", "explanation": strings.Repeat("It shows what nobody may show. ", 3), "goodFaith": true})
		status, _, _ := p.send(nethttp.DefaultClient, nethttp.MethodPost, "/notices", sender) // the answer is empty
		require.Equal(t, nethttp.StatusAccepted, status)
	}
	pgtest.Eventually(t, func() bool {
		return one[int](t, pool, `SELECT count(*) FROM core_moderation_reports WHERE source = 'notice'`) == 1
	}, "the one that needs no confirmation is a report")
	for _, percent := range []int{10, 100} {
		p.must(admin, nethttp.MethodPut, "/admin/quality", map[string]any{"percent": percent, "golden": 0})
	}
	for _, rule := range [][2]string{{"spam", "muted"}, {"spam", `reason == "spam"`}, {"abusive", `reason == "abusive"`}, {"hide", `reason == "rule_violation"`}, {"absent", `signals["absent"] > 0.5`}, {"old", "muted"}} {
		post(admin, "/admin/rules", map[string]any{"key": rule[0], "title": "Rule " + rule[0], "when": rule[1], "then": map[string]any{"points": 5, "due": "4h", "tags": []string{rule[0]}, "hide": rule[0] == "hide"}})
	}
	for rule, mode := range map[string]string{"spam": "live", "abusive": "shadow", "hide": "live", "absent": "live"} {
		post(admin, "/admin/rules/"+rule+"/mode", map[string]any{"mode": mode})
	}
	post(admin, "/admin/rules/old/retire", nil)
	p.must(admin, nethttp.MethodPut, "/admin/ladder", map[string]any{"steps": []any{map[string]any{"strikes": 2, "kind": "warn"}}})
	for _, id := range []string{"arcade", "library"} {
		_, answer, err := p.send(admin, nethttp.MethodPut, "/admin/platforms/"+id, map[string]any{"manifest": "id: " + id + "\nremote: {url: http://127.0.0.1:1/docket}\n" +
			"issuer: {jwksUrl: http://127.0.0.1:1/keys, issuer: " + id + ", audience: docket}\n"})
		require.NoError(t, err)
		require.NotEmpty(t, answer["secret"])
	}
	post(admin, "/admin/platforms/arcade/secret", nil)
	post(admin, "/admin/platforms/arcade/off", nil)
	post(admin, "/users/tokens", map[string]any{"name": "script", "use": "admin", "expiresAt": time.Now().Add(time.Hour)})
	token := post(moderator, "/users/tokens", map[string]any{"name": "script", "use": "read"})["id"].(string)
	_, _, err = p.send(moderator, nethttp.MethodDelete, "/users/tokens/"+token, nil)
	require.ErrorIs(t, err, io.EOF, "204 has no body")
	post(admin, "/admin/users", map[string]any{"email": "invited@demo.test", "name": "Ida Invited"})
	post(admin, "/admin/users/"+user("member9@demo.test")+"/disable", nil)
	for member, name := range map[string]string{"member1": "Hotline", "member6": "Agency"} {
		post(admin, "/admin/users/"+user(member+"@demo.test")+"/trusted", map[string]any{"trusted": true, "name": name})
	}
	entry := post(admin, "/admin/staff/entry/moderator", map[string]any{"userId": user("member8@demo.test")})["id"].(string)
	p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+entry, map[string]any{"permissions": []any{map[string]any{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": map[string]any{"family": "forum.category", "mode": "all"}}}})
	for path, body := range map[string]map[string]any{"/users/sign-in": {"email": "member1@demo.test", "password": "not the password"}, "/users/forgot": {"email": "member1@demo.test"}} {
		_, _, _ = p.send(&nethttp.Client{}, nethttp.MethodPost, path, body) // 401 and 204
	}
	_, _, err = p.send(moderator, nethttp.MethodPut, "/moderation/views/mine", map[string]any{"query": "status=new"})
	require.NoError(t, err)
	_, _, err = p.send(moderator, nethttp.MethodPut, "/users/digest", map[string]any{"every": "daily", "urgent": true})
	require.NoError(t, err)
	made := docket(t, environment, "token", "create", "--use", "host", "--plugin", "shop", "--name", "shop server")
	require.Zero(t, made.status, made.stderr)
	host := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(made.stdout))}

	made = docket(t, environment, "token", "create", "--use", "signal", "--plugin", "forum")
	require.Zero(t, made.status, made.stderr)
	machine := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(made.stdout))}
	for _, post := range []string{"1", "2"} { // before anybody reports them
		p.must(machine, nethttp.MethodPost, "/moderation/signals", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": post,
			"signals": []any{map[string]any{"name": "spam", "score": 0.5}, map[string]any{"name": "links.listed", "score": 1}}})
	}

	second := p.signIn("member4@demo.test")
	secret := post(second, "/users/factors/totp", map[string]any{})["secret"].(string)
	code, err := totp.GenerateCode(secret, time.Now())
	require.NoError(t, err)
	post(second, "/users/factors/totp/confirm", map[string]any{"code": code})
	post(second, "/users/factors/totp", map[string]any{})
	post(&nethttp.Client{}, "/users/sign-in", map[string]any{"email": "member4@demo.test", "password": "demo-password"})

	members := []*nethttp.Client{p.signIn("member1@demo.test"), p.signIn("member2@demo.test"), p.signIn("member3@demo.test")}
	pgtest.Eventually(t, func() bool {
		return one[bool](t, pool, `SELECT max(mode_at) < now() FROM core_rules`)
	}, "the modes of rules count")
	var reports []string
	for n := range 12 {
		reason := []string{"spam", "abusive", "other"}[n%3]
		reports = append(reports, post(members[n%3], "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post",
			"targetId": fmt.Sprint(n/2 + 1), "reason": reason, "description": "It is long enough."})["id"].(string))
	}
	for _, target := range []string{"10", "11"} {
		post(members[0], "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": target, "reason": "rule_violation"})
	}
	post(moderator, "/moderation/reporters/"+user("member3@demo.test")+"/mute", map[string]any{"until": time.Now().Add(time.Hour), "reason": "Too many."})
	post(moderator, "/moderation/reporters/"+user("member3@demo.test")+"/unmute", nil)
	post(moderator, "/moderation/reporters/"+user("member2@demo.test")+"/mute", map[string]any{"until": time.Now().Add(time.Hour), "reason": "Too many."})
	p.file(members[1], "9") // muted
	version := map[string]int{}
	do := func(report int, path string, body map[string]any) map[string]any {
		id := reports[report]
		body["expectedVersion"] = version[id] + 1
		if strings.HasPrefix(path, "/notes") {
			delete(body, "expectedVersion")
		} else {
			version[id]++
		}
		return post(moderator, "/moderation/reports/"+id+path, body)
	}
	fair := map[string]any{"key": "no-shops", "version": 2}
	for n := range 9 {
		do(n, "/claim", map[string]any{})
	}
	restrict := func(report int) []any {
		author := one[string](t, pool, `SELECT f.author_id::text FROM core_moderation_reports r JOIN forum_posts f ON f.id::text = r.target_id WHERE r.id = $1`, reports[report])
		return []any{map[string]any{"authorId": author, "kind": "restrict", "until": time.Now().AddDate(0, 0, 7)}}
	}
	do(0, "/actions/hide", map[string]any{})
	do(0, "/resolve", map[string]any{"resolution": "action_taken", "policy": fair, "reasons": "You advertise.", "explanation": "Advertising", "share": true, "measures": restrict(0)})
	do(1, "/resolve", map[string]any{"resolution": "no_violation", "policy": fair})
	do(2, "/resolve", map[string]any{"resolution": "duplicate"})
	do(3, "/resolve", map[string]any{"resolution": "no_violation"})
	do(3, "/reopen", map[string]any{"reason": "On second thoughts."})
	do(4, "/unassign", map[string]any{})
	do(5, "/actions/hide", map[string]any{})
	do(5, "/resolve", map[string]any{"resolution": "action_taken", "policy": fair, "measures": restrict(5)})
	note := do(6, "/notes", map[string]any{"body": "a first note"})["note"].(map[string]any)["id"].(string)
	do(6, "/notes/"+note+"/edit", map[string]any{"body": "an edited note"})
	post(moderator, "/moderation/reports/"+reports[6]+"/notes/"+note+"/pin", map[string]any{"until": time.Now().Add(time.Hour)})
	note = do(6, "/notes", map[string]any{"body": "a note too many"})["note"].(map[string]any)["id"].(string)
	do(6, "/notes/"+note+"/delete", map[string]any{})
	do(7, "/resolve", map[string]any{"resolution": "no_violation"})
	for n := 10; n < 12; n++ {
		do(n, "/resolve", map[string]any{"resolution": "action_taken", "policy": map[string]any{"key": "two-keys", "version": 2}, "explanation": "It waits."})
	}
	post(moderator, "/moderation/reports/"+reports[8]+"/presence", nil)
	do(8, "/escalate", map[string]any{"to": user("admin@demo.test"), "note": "It is hard."})
	do(4, "/escalate", map[string]any{"to": "leads", "note": "It is hard, too."})
	unclaimed := map[string]any{"pluginId": "forum", "type": "forum.post", "id": "6"}
	post(moderator, "/moderation/cases/pass", map[string]any{"target": unclaimed, "reason": "unsure"})
	post(moderator, "/moderation/cases/park", map[string]any{"target": unclaimed, "until": time.Now().Add(time.Hour)})

	author := func(report int) *nethttp.Client {
		return p.signIn(one[string](t, pool, `SELECT u.email FROM core_moderation_reports r JOIN forum_posts f ON f.id::text = r.target_id
			JOIN core_users u ON u.id = f.author_id WHERE r.id = $1`, reports[report]))
	}
	appeals := map[int]string{}
	for report, appellant := range map[int]*nethttp.Client{0: author(0), 1: members[1], 5: author(5), 7: members[1]} {
		appeals[report] = post(appellant, "/users/decisions/"+reports[report]+"/appeal", map[string]any{"text": "I do not agree."})["id"].(string)
	}
	decide := func(report int, outcome string) {
		post(admin, "/moderation/appeals/"+appeals[report]+"/"+outcome, map[string]any{"reply": "We looked again.", "expectedVersion": version[reports[report]] + 1})
	}
	decide(0, "overturn")
	decide(1, "uphold")

	holder := post(admin, "/admin/staff/entry/admin", map[string]any{"userId": user("member6@demo.test")})["id"].(string)
	p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/admin/"+holder, map[string]any{"permissions": []any{map[string]any{"plugin": "@platform/core", "module": "audit", "permission": "can_hold"}}})
	for n, held := range []map[string]any{{"reports": reports[2:4]}, {"authorId": "somebody", "pluginId": "forum"}, {"reports": reports[1:2]}, {"authorId": user("member5@demo.test"), "pluginId": "shop"}} {
		maps.Copy(held, map[string]any{"basis": fmt.Sprint("Claim ", n), "reference": fmt.Sprint(n), "until": time.Now().AddDate(1, 0, 0)})
		set := post(admin, "/admin/holds", held)["id"].(string)
		if n > 1 {
			post(p.signIn("member6@demo.test"), "/admin/holds/"+set+"/lift", nil)
		}
	}
	var grants []any
	for _, permission := range []string{"can_view_reports", "can_manage_reports"} {
		grants = append(grants, map[string]any{"plugin": "forum", "module": "posts", "permission": permission, "scope": map[string]any{"family": "forum.category", "mode": "all"}})
	}
	again := post(admin, "/admin/staff/entry/moderator", map[string]any{"userId": user("member5@demo.test")})["id"].(string)
	p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+again, map[string]any{"permissions": grants})
	decideAgain(t, pool, p, admin, user("admin@demo.test"), p.signIn("member5@demo.test"))

	// A platform that does not do what it is asked for, and a member of that platform.
	shop.set(func(w nethttp.ResponseWriter, path string) bool {
		if strings.HasPrefix(path, "actions/") {
			w.WriteHeader(nethttp.StatusServiceUnavailable)
		}
		return strings.HasPrefix(path, "actions/")
	})
	review := post(host, "/moderation/reports", map[string]any{"pluginId": "shop", "targetType": "shop.review", "targetId": "7", "reason": "spam",
		"reporter": map[string]any{"subject": "u1", "name": "Uma"}})["id"].(string)
	post(admin, "/moderation/reports/"+review+"/actions/hide", map[string]any{"expectedVersion": 1})

	sql := func(statement string) {
		pgtest.Exec(t, pool, statement)
	}
	sql(`UPDATE forum_posts SET category_id = (SELECT id FROM forum_categories WHERE id <> category_id LIMIT 1) WHERE id = 4`)
	require.Zero(t, docket(t, environment, "erase", "--report", reports[9]).status)
	require.Zero(t, docket(t, environment, "user", "delete", "member7@demo.test").status)
	pgtest.Eventually(t, func() bool {
		return p.projected(admin, one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)) &&
			one[int](t, pool, `SELECT count(*) FROM core_webhook_deliveries WHERE status = 'delivered'`) > 10 &&
			one[bool](t, pool, `SELECT EXISTS (SELECT FROM core_notices)`) &&
			one[int](t, pool, `SELECT count(*) FROM core_moderation_reports WHERE tags ? 'spam'`) >= 4 &&
			one[int](t, pool, `SELECT count(*) FROM core_moderation_reports WHERE hidden_by = 'hide'`) == 2 &&
			one[bool](t, pool, `SELECT EXISTS (SELECT FROM core_rule_failures)`)
	}, "everything is told and projected")
	p.must(admin, nethttp.MethodPost, "/admin/advanced/projections/daily/rebuild", nil)
	pgtest.Eventually(t, func() bool {
		return one[int](t, pool, `SELECT count(*) FROM core_projection_runs WHERE finished_at IS NOT NULL`) == 1
	}, "the rebuild is done")
	p.must(admin, nethttp.MethodPost, "/admin/rules/backtests", map[string]any{"when": "muted", "against": map[string]any{"key": "spam", "version": 1}})
	pgtest.Eventually(t, func() bool {
		return one[int](t, pool, `SELECT count(*) FROM core_backtests WHERE state = 'done'`) == 1
	}, "the back-test is done")
	sql(`INSERT INTO core_transparency_reports (id, since, until, requested_by, requested_at) SELECT gen_random_uuid(), now(), now(), id, now() FROM core_users LIMIT 2`)
	p.runJob(admin, "announce-overdue")
	p.runJob(admin, "checkpoint")
	p.end(syscall.SIGTERM)

	for _, args := range [][]string{{"audit", "checkpoint"}, {"audit", "verify"}, {"projections", "verify"}} {
		got := docket(t, environment, args...)
		require.Zero(t, got.status, "%v: %s%s", args, got.stdout, got.stderr)
	}
	// What a server takes away as soon as it can.
	sql(`INSERT INTO core_statements (id, report_id, decided_at, due_at, status, missing, faults, policy, uuid, sent_at, look_at)
		SELECT event_id, report_id, now(), now(), 'refused', '{policy}', '{x}', 'spam/1', 'x', now(), now() FROM core_moderation_report_events LIMIT 2`)
	sql(`INSERT INTO core_poison SELECT gen_random_uuid(), 'docket.notices', event_id::text, 'moderation.report.created', '{"id": "x"}', '{"name": "x"}', 'It failed.', 1, now(), now()
		FROM core_moderation_report_events LIMIT 2`)
	sql(`INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at) VALUES
		(gen_random_uuid(), 'a release', '{"deadlines": "spam=48h"}', '{core:mail}', now(), now() - interval '1 year')`)
	sql(`UPDATE core_moderation_scope_walk SET plugin_id = '', target_type = '', target_id = ''`) // between two walks
	sql(`INSERT INTO core_moderation_moves (plugin_id, target_type, target_id) SELECT plugin_id, target_type, target_id FROM core_moderation_targets LIMIT 2`)
	return environment, pool.Config().ConnConfig.Database
}

// decideAgain draws what was decided, lets somebody agree with one decision and disagree with another, which
// is settled, and gives a third one out.
func decideAgain(t *testing.T, pool *pgxpool.Pool, p *process, admin *nethttp.Client, adminID string, by *nethttp.Client) {
	p.runJob(admin, "checkpoint")
	pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) FROM core_seconds`) >= 6 }, "what was decided is drawn")
	status := func(want string, of any) {
		pgtest.Eventually(t, func() bool { return one[string](t, pool, `SELECT status FROM core_seconds WHERE id = $1`, of) == want }, "it is "+want)
	}
	for _, agrees := range []bool{true, false} {
		id := p.must(by, nethttp.MethodPost, "/moderation/next?kind=second", nil)["id"]
		resolution, want := one[string](t, pool, `SELECT resolution FROM core_seconds WHERE id = $1`, id), "agreed"
		if !agrees {
			resolution, want = "duplicate", "disputed"
		}
		p.must(by, nethttp.MethodPost, "/moderation/seconds/"+id.(string), map[string]any{"resolution": resolution})
		if status(want, id); !agrees {
			p.must(admin, nethttp.MethodPost, "/moderation/seconds/"+id.(string)+"/settle", map[string]any{"stands": true, "reason": "It was right."})
			status("settled", id)
		}
	}
	p.must(by, nethttp.MethodPost, "/moderation/next?kind=second", nil)
	decision := one[string](t, pool, `SELECT decision_id::text FROM core_seconds WHERE status = 'agreed'`)
	golden := seconds.ID(decision, adminID)
	pgtest.Exec(t, pool, `INSERT INTO core_second_turns (second_id, user_id, decision_id, golden, report_id, plugin_id, target_type, target_id, until)
		SELECT $1, $2, $3, true, report_id, plugin_id, target_type, target_id, now() + interval '1 hour' FROM core_second_turns WHERE decision_id = $3`, golden, adminID, decision)
	p.must(admin, nethttp.MethodPost, "/moderation/seconds/"+golden, map[string]any{"resolution": "duplicate"})
	pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) FROM core_golden_answers`) == 1 }, "it is counted")
}
