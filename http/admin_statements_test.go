package http_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
)

// receiver is the transparency database, and the settings that send statements there at once.
func receiver(t *testing.T) (*platformtest.Statements, map[string]string) {
	r := &platformtest.Statements{Token: "secret"}
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	return r, map[string]string{"DOCKET_STATEMENTS_URL": s.URL + "/", "DOCKET_STATEMENTS_TOKEN": "secret", "DOCKET_STATEMENTS_DELAY": "0s"}
}

// stating publishes a policy that says something to the database.
func (b *bundle) stating(key string, basis any) map[string]any {
	b.t.Helper()
	a := b.admin(fmt.Sprint("States ", key, basis != nil)).post("/admin/policies", map[string]any{"key": key, "title": "Rule " + key, "text": "Do not.", "statement": basis}).status(nethttp.StatusCreated)
	require.Equal(b.t, basis, a.body["statement"])
	return map[string]any{"key": key, "version": a.body["version"]}
}

// stated runs the job of statements once the listener has noted so many decisions in all.
func (b *bundle) stated(decisions int) {
	b.t.Helper()
	pgtest.Eventually(b.t, func() bool { return b.count(`SELECT count(*) FROM core_statements`) == decisions }, "the decisions are noted")
	b.runJob("send-statements")
}

// hidden is a report whose post is hidden, and its version.
func (b *bundle) hidden(mod *client, post string) (path string, version any) {
	b.t.Helper()
	path = "/moderation/reports/" + b.file(b.reporterOf(post), post)
	return path, mod.post(path+"/actions/hide", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK).body["version"]
}

func TestEachDecisionThatRestrictsSomebodyIsStated(t *testing.T) {
	t.Parallel()
	database, settings := receiver(t)
	b := newBundleWith(t, settings)
	b.run()
	b.exec(`UPDATE forum_posts SET title = 'zaunkönig', body = 'zaunkönig'`)
	basis := map[string]any{"ground": "illegal", "law": "Act 5", "category": "SCAMS_AND_FRAUD", "keywords": []any{"PHISHING"}}
	spam, silent := b.stating("spam", basis), b.stating("silent", nil)
	mod, auditor := b.moderator("Mod", nil, everyPermission...), b.auditor()
	resolve := func(path string, version, policy any, more map[string]any) {
		body := map[string]any{"expectedVersion": version, "resolution": "action_taken", "policy": policy, "explanation": "zaunkönig", "reasons": "zaunkönig"}
		for k, v := range more {
			body[k] = v
		}
		mod.post(path+"/resolve", body).status(nethttp.StatusOK)
	}

	t.Log("a hidden post, a suspension by a decision on two reports, a rule that says nothing, a decision without a rule, one that is taken back, a warning and no violation")
	hidden, v := b.hidden(mod, "1")
	shown := mod.post(hidden+"/statement", map[string]any{"policy": spam}).status(nethttp.StatusOK).body
	require.Equal(t, "Act 5", shown["statement"].(map[string]any)["illegal_content_legal_ground"])
	require.Equal(t, []any{"policy"}, mod.post(hidden+"/statement", map[string]any{}).status(nethttp.StatusOK).body["missing"])
	require.Equal(t, map[string]string{"actions": "too_many"}, mod.post(hidden+"/statement", map[string]any{"actions": make([]string, 21)}).fault(nethttp.StatusBadRequest, "validation_failed").issues())
	resolve(hidden, v, spam, nil)
	first, author := b.file(b.reporterOf("2"), "2"), b.postAuthor("2")
	suspended := "/moderation/reports/" + first
	measures := map[string]any{"measures": []any{map[string]any{"authorId": author, "kind": "suspend", "until": until(30)}}}
	nothing := mod.post(suspended+"/statement", map[string]any{"policy": spam}).status(nethttp.StatusOK).body
	require.Equal(t, []any{nil, []any{}}, []any{nothing["statement"], nothing["missing"]}, "nobody is restricted")
	upheld := map[string]any{"resolution": "action_taken", "policy": spam, "measures": measures["measures"]}
	mod.post("/moderation/cases/decide", caseBody("2", upheld, first, b.file(b.reporterOf("2")+2, "2"))).status(nethttp.StatusOK)
	untold, v := b.hidden(mod, "3")
	resolve(untold, v, silent, nil)
	bare, v := b.hidden(mod, "4")
	resolve(bare, v, nil, nil)
	reopened, v := b.hidden(mod, "5")
	resolve(reopened, v, spam, nil)
	mod.post(reopened+"/reopen", map[string]any{"expectedVersion": 3, "reason": "A mistake."}).status(nethttp.StatusOK)
	warned := "/moderation/reports/" + b.file(b.reporterOf("6"), "6")
	resolve(warned, 1, spam, map[string]any{"measures": []any{map[string]any{"authorId": b.postAuthor("6"), "kind": "warn"}}})
	mod.post("/moderation/reports/"+b.file(b.reporterOf("7"), "7")+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	taken := "/moderation/reports/" + b.file(b.reporterOf("8"), "8")
	resolve(taken, 1, spam, nil)
	mod.post(taken+"/reopen", map[string]any{"expectedVersion": 2, "reason": "A mistake."}).status(nethttp.StatusOK)
	b.stated(8)

	by := map[string]map[string]any{}
	for _, s := range auditor.get("/admin/statements").status(nethttp.StatusOK).edges() {
		by["/moderation/reports/"+s["reportId"].(string)] = s
	}
	require.Len(t, by, 5)
	stands := func(path string) []any { return []any{by[path]["status"], by[path]["missing"]} }
	require.Equal(t, []any{"sent", []any{}}, stands(hidden))
	require.Equal(t, []any{"sent", []any{}}, stands(suspended))
	require.Equal(t, []any{"incomplete", []any{"statement"}}, stands(untold))
	require.Equal(t, []any{"incomplete", []any{"policy"}}, stands(bare))
	require.Equal(t, []any{"superseded", []any{}}, stands(reopened))
	sent := database.Stored()
	require.Len(t, sent, 2)
	one := sent[by[hidden]["id"].(string)]
	require.Equal(t, one["uuid"], by[hidden]["uuid"])
	require.Equal(t, []any{"DECISION_VISIBILITY_CONTENT_DISABLED"}, one["decision_visibility"])
	words, err := json.Marshal(sent)
	require.NoError(t, err)
	require.NotContains(t, string(words), "zaunk", "no word that a person wrote")
	two := sent[by[suspended]["id"].(string)]
	require.Equal(t, []any{"DECISION_ACCOUNT_SUSPENDED", until(30)[:10]}, []any{two["decision_account"], two["end_date_account_restriction"]})

	t.Log("a later version says what was missing")
	b.stating("silent", basis)
	b.exec(`UPDATE core_statements SET look_at = now() WHERE status = 'incomplete'`)
	b.runJob("send-statements")
	require.Len(t, database.Stored(), 3)
	require.Equal(t, "Act 5", database.Stored()[by[untold]["id"].(string)]["illegal_content_legal_ground"])
	require.Len(t, auditor.get("/admin/statements?status=sent").status(nethttp.StatusOK).edges(), 3)
	for since, again := range map[string]int{"29 days 23 hours": 1, "30 days": 0} {
		pgtest.Exec(t, b.pool, `UPDATE core_statements SET due_at = now() - $1::interval, look_at = now() WHERE status = 'incomplete'`, since)
		b.runJob("send-statements")
		require.Equal(t, again, b.count(`SELECT count(*) FROM core_statements WHERE status = 'incomplete' AND look_at BETWEEN now() + interval '59 minutes' AND now() + interval '1 hour'`), since)
	}
	auditor.get("/admin/statements?status=none").fault(nethttp.StatusBadRequest, "validation_failed")
	require.EqualValues(t, 0, auditor.get("/admin/statements/settings").status(nethttp.StatusOK).body["delaySeconds"])
}

// Given statements of which the database refuses one, knows one already and takes the others, when they are
// sent, then each ends by itself, and nothing is sent twice.
func TestAFaultyStatementIsRefusedAlone(t *testing.T) {
	t.Parallel()
	database, settings := receiver(t)
	var down int // the status that is answered instead
	var limit int64 = 1 << 20
	b := newBundleWith(t, settings)
	b.run()
	mod := b.moderator("Mod", nil, everyPermission...)
	policy := b.stating("spam", map[string]any{"ground": "incompatible", "category": "VIOLENCE"})
	database.Answer = func(w nethttp.ResponseWriter, r *nethttp.Request) bool {
		switch {
		case down != 0:
			w.WriteHeader(down)
			_, _ = io.WriteString(w, "<html>Not now.</html>")
		case r.ContentLength > limit:
			w.WriteHeader(nethttp.StatusRequestEntityTooLarge)
		default:
			return false
		}
		return true
	}
	for _, post := range []string{"1", "2", "3", "4"} {
		path, v := b.hidden(mod, post)
		mod.post(path+"/resolve", map[string]any{"expectedVersion": v, "resolution": "action_taken", "policy": policy}).status(nethttp.StatusOK)
	}
	pgtest.Eventually(t, func() bool { return b.count(`SELECT count(*) FROM core_statements`) == 4 }, "the decisions are noted")
	ids := pgtest.All[string](t, b.pool, `SELECT id::text FROM core_statements ORDER BY id`)
	database.Store(ids[0])
	database.Refuse(ids[1], map[string][]string{"category": {"The selected category is invalid."}})

	t.Log("a database that is down gets all of them later")
	for _, down = range []int{nethttp.StatusServiceUnavailable, nethttp.StatusRequestEntityTooLarge, nethttp.StatusUnprocessableEntity} {
		require.Equal(t, nethttp.StatusInternalServerError, b.job("send-statements").code)
		require.Equal(t, 4, b.count(`SELECT count(*) FROM core_statements WHERE status = 'pending'`))
	}
	down, limit = 0, 1500 // bytes: two statements
	b.runJob("send-statements")
	require.Len(t, database.Stored(), 3)
	require.Equal(t, []string{"sent", "refused", "sent", "sent"}, pgtest.All[string](t, b.pool, `SELECT status FROM core_statements ORDER BY id`))
	refused := b.auditor().get("/admin/statements?status=refused").status(nethttp.StatusOK).edges()
	require.Equal(t, []any{"category: The selected category is invalid."}, refused[0]["faults"])

	t.Log("it is sent again when somebody says so")
	database.Refuse(ids[1], nil)
	b.runJob("send-statements")
	require.Len(t, database.Stored(), 3)
	rules := b.admin("Rules", permission.AreaPolicies)
	require.Equal(t, "pending", rules.post("/admin/statements/"+ids[1]+"/retry", nil).status(nethttp.StatusOK).body["status"])
	require.Equal(t, "sent", rules.post("/admin/statements/"+ids[0]+"/retry", nil).status(nethttp.StatusOK).body["status"], "nothing changes")
	b.runJob("send-statements")
	require.Len(t, database.Stored(), 4)
}

// Given a statement by which the database fails, when statements are sent, then it holds up no other.
func TestAStatementThatBreaksTheDatabaseHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	database, settings := receiver(t)
	b := newBundleWith(t, settings)
	b.run()
	mod := b.moderator("Mod", nil, everyPermission...)
	policy := b.stating("spam", map[string]any{"ground": "incompatible", "category": "VIOLENCE"})
	for _, post := range []string{"1", "2", "3"} {
		path, v := b.hidden(mod, post)
		mod.post(path+"/resolve", map[string]any{"expectedVersion": v, "resolution": "action_taken", "policy": policy}).status(nethttp.StatusOK)
	}
	pgtest.Eventually(t, func() bool { return b.count(`SELECT count(*) FROM core_statements`) == 3 }, "the decisions are noted")
	breaks := pgtest.All[string](t, b.pool, `SELECT id::text FROM core_statements ORDER BY look_at LIMIT 1`)[0]
	database.Answer = func(w nethttp.ResponseWriter, r *nethttp.Request) bool {
		content, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(content))
		if !bytes.Contains(content, []byte(breaks)) {
			return false
		}
		w.WriteHeader(nethttp.StatusInternalServerError)
		return true
	}
	for range 2 {
		require.Equal(t, nethttp.StatusInternalServerError, b.job("send-statements").code)
	}
	require.Len(t, database.Stored(), 2)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM core_statements WHERE status = 'pending'`))
}

func TestStatementsThatAreNotSentAreCounted(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	for days, status := range map[int]string{2: "refused", 3: "refused", 4: "incomplete", 5: "sent", 6: "superseded", 31: "incomplete", 0: "pending"} {
		pgtest.Exec(t, b.pool, `INSERT INTO core_statements (id, report_id, decided_at, due_at, status) VALUES (gen_random_uuid(), gen_random_uuid(),
			now() - $1 * interval '1 day', now() - $1 * interval '1 day', $2)`, days, status)
	}
	for _, line := range []string{`{status="refused"} 2`, `{status="incomplete"} 1`, `{status="pending"} 0`} {
		require.Contains(t, b.metrics(), "docket_statements_unsent"+line)
	}
}
