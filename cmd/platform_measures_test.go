package cmd

import (
	"io"
	nethttp "net/http"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// impose decides a report with a measure on its author, and returns the measure.
func (a *atShop) impose(id, kind string, until any) map[string]any {
	a.t.Helper()
	a.must(id, "/resolve", map[string]any{"resolution": "action_taken", "measures": []any{map[string]any{"authorId": a.s.author, "kind": kind, "until": until}}})
	return a.latest(id)
}

// latest is the newest measure of a report.
func (a *atShop) latest(id string) map[string]any {
	a.t.Helper()
	all := a.read(id)["measures"].([]any)
	return all[len(all)-1].(map[string]any)
}

// Given content of a platform, when a decision imposes measures, then the platform is asked to carry
// them out, and their ends, in the order of the log; what it fails to do is told and can be asked anew.
func (a *atShop) measures() {
	t, s := a.t, a.s
	failed := func(id string) any {
		t.Helper()
		a.settled(id)
		return a.latest(id)["failed"]
	}
	reopen := map[string]any{"reason": "On second thoughts."}

	t.Log("what may be imposed is told, imposed, asked for and confirmed")
	first := a.file("27", "member1@demo.test")
	proposed := a.p.must(a.admin, nethttp.MethodGet, "/moderation/reports/"+first+"/proposal", nil)["items"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"warn", "restrict", "suspend", "terminate"}, proposed["kinds"])
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	shown := make(chan struct{}) // the platform answers after that
	s.set(func(_ nethttp.ResponseWriter, path string) bool {
		if path == "people/suspend" {
			<-shown
		}
		return false
	})
	imposed := a.impose(first, "suspend", until.Format(time.RFC3339Nano))
	require.Equal(t, []any{true, false}, []any{imposed["pending"], imposed["failed"]})
	close(shown)
	s.set(nil)
	require.Equal(t, false, failed(first))
	require.Equal(t, []string{"suspend"}, s.barred("u7"))
	s.mu.Lock()
	require.True(t, until.Equal(*s.measures[imposed["measureId"].(string)].until))
	s.mu.Unlock()
	require.Equal(t, []string{"created", "resolved", "measure_imposed", "measure_pending", "measure_confirmed"}, a.timeline(first))

	t.Log("what replaces the decision lifts it")
	a.must(first, "/actions/warn", nil)
	a.must(first, "/reopen", reopen)
	require.Equal(t, false, failed(first))
	require.Empty(t, s.barred("u7"))

	t.Log("a refusal is told to who asked, and ending once more asks anew")
	second := a.file("28", "member2@demo.test")
	a.answers("people/restrict", nethttp.StatusForbidden)
	a.impose(second, "restrict", nil)
	require.Equal(t, true, failed(second))
	require.Empty(t, s.barred("u7"))
	require.Equal(t, []any{`The platform did not carry out what was decided about an author of "Great": a restriction. It is not asked again; a new decision with the measure asks anew.`,
		"The platform refused the measure: it answered 403."}, a.newest()["paragraphs"])
	s.set(nil)
	a.impose(second, "restrict", nil)
	require.Equal(t, false, failed(second))
	require.Equal(t, []string{"restrict"}, s.barred("u7"))
	a.answers("people/end", nethttp.StatusForbidden)
	end := func() {
		m := a.p.must(a.admin, nethttp.MethodGet, "/moderation/measures?kind=restrict&first=1", nil)["edges"].([]any)[0].(map[string]any)
		a.p.must(a.admin, nethttp.MethodPost, "/moderation/measures/"+m["id"].(string)+"/end", map[string]any{"reason": "It was a mistake.", "expectedVersion": m["version"]})
	}
	end()
	require.Equal(t, true, failed(second))
	require.Equal(t, []string{"restrict"}, s.barred("u7"))
	require.Contains(t, a.newest()["paragraphs"].([]any)[0], "did not lift what has ended")
	s.set(nil)
	end()
	require.Equal(t, false, failed(second))
	require.Empty(t, s.barred("u7"))
	answer, err := nethttp.Get(a.p.url + "/metrics")
	require.NoError(t, err)
	defer answer.Body.Close()
	metrics, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Contains(t, string(metrics), `docket_platform_requests_failed_total{requested="measure"} 2`)

	t.Log("what ended before the platform heard of it is not imposed")
	third := a.file("29", "member3@demo.test")
	up := s.down()
	a.impose(third, "terminate", nil)
	pgtest.Eventually(t, func() bool { return lastTask(t, a.pool).attempts > 0 }, "the platform is away")
	a.must(third, "/reopen", reopen)
	up()
	pgtest.Eventually(t, func() bool { retryNow(t, a.pool); return a.latest(third)["pending"] == false }, "the platform is back")
	require.Equal(t, []string{"created", "resolved", "measure_imposed", "measure_pending", "measure_ended", "reopened", "measure_pending", "measure_confirmed"}, a.timeline(third))
	require.Empty(t, s.barred("u7"))

	t.Log("what expires is lifted, and who imposed it hears if it is not")
	fourth := a.file("30", "member5@demo.test")
	a.answers("people/end", nethttp.StatusForbidden)
	a.impose(fourth, "suspend", time.Now().Add(2*time.Second).UTC().Format(time.RFC3339Nano))
	pgtest.Eventually(t, func() bool {
		a.p.runJob(a.admin, "end-measures")
		m := a.latest(fourth)
		return m["endedBy"] == "expiry" && m["failed"] == true
	}, "it has expired")
	require.Equal(t, `The platform did not lift what has ended for an author of "Great": a suspension. It is not asked again; ending the measure once more asks anew.`, a.newest()["paragraphs"].([]any)[0])

	t.Log("a server that does not know the platform has it told, too")
	s.set(nil)
	s.written("u8")
	fifth := a.file("31", "member5@demo.test")
	a.impose(fifth, "restrict", nil)
	require.Equal(t, false, failed(fifth))
	require.Equal(t, []string{"restrict"}, s.barred("u8"))
	other := startProcess(t, a.environment, "demo")
	other.must(other.signIn("admin@demo.test"), nethttp.MethodPost, "/moderation/reports/"+fifth+"/reopen", map[string]any{"expectedVersion": 2, "reason": "On second thoughts."})
	require.Equal(t, false, failed(fifth))
	require.Empty(t, s.barred("u8"))
	other.kill()

	t.Log("but what a plugin itself carries out is left to a server that has the plugin")
	post := a.p.file(a.p.signIn("member1@demo.test"), "1")
	author := a.read(post)["snapshot"].(map[string]any)["authors"].([]any)[0].(map[string]any)["id"]
	a.must(post, "/resolve", map[string]any{"resolution": "action_taken", "measures": []any{map[string]any{"authorId": author, "kind": "restrict"}}})
	bare := startProcess(t, a.environment, "serve")
	again := map[string]any{"expectedVersion": 2, "reason": "On second thoughts."}
	code, said, err := bare.send(bare.signIn("admin@demo.test"), nethttp.MethodPost, "/moderation/reports/"+post+"/reopen", again)
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusServiceUnavailable, code, said)
	bare.kill()
	a.p.must(a.admin, nethttp.MethodPost, "/moderation/reports/"+post+"/reopen", again)
}

// Given content of a platform, when an appeal is overturned, then its platform is asked to
// take back what stands, which it refuses in the end, and to lift what the decision imposed.
func (a *atShop) undoes() {
	t, s := a.t, a.s
	for review, refuses := range map[string]bool{"41": false, "42": true} {
		s.written("u" + review)
		// Who wrote the review is a member here.
		pgtest.Exec(t, a.pool, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at) SELECT 'plugin:shop', $1, id, now() FROM core_users WHERE email = 'member3@demo.test'`, s.author)
		id := a.file(review, "member1@demo.test")
		standing := func() any { return a.read(id)["decision"].(map[string]any)["actions"] }
		a.must(id, "/actions/hide", nil)
		a.settled(id)
		a.impose(id, "suspend", nil)
		require.Equal(t, []any{"hide"}, standing())
		a.settled(id)
		require.Equal(t, []string{"suspend"}, s.barred(s.author))

		if refuses {
			a.answers("actions/unhide", nethttp.StatusForbidden)
		}
		appeal := a.p.must(a.p.signIn("member3@demo.test"), nethttp.MethodPost, "/users/decisions/"+id+"/appeal", map[string]any{"text": "Why?"})["id"].(string)
		a.p.must(a.lead, nethttp.MethodPost, "/moderation/appeals/"+appeal+"/overturn", map[string]any{"reply": "You are right.", "expectedVersion": 3})
		a.settled(id)
		outcome, stands := "action", []any{}
		if refuses {
			outcome, stands = "action_failed", []any{"hide"}
		}
		timeline := a.timeline(id)
		require.Equal(t, []string{"created", "action_requested", "action", "resolved", "measure_imposed", "measure_pending", "measure_confirmed",
			"appealed", "appeal_decided", "action_requested", "measure_ended", "resolved", "measure_pending"}, timeline[:13])
		require.ElementsMatch(t, []string{outcome, "measure_confirmed"}, timeline[13:])
		require.Empty(t, s.barred(s.author))
		require.Equal(t, stands, standing())
		require.Equal(t, refuses, s.isHidden(review))
		s.set(nil)
	}
}

// Given content and an author of a platform, when what is decided about them waits for a second person, then
// the platform hears of it once somebody approves and not before, whatever else it was asked for.
func (a *atShop) waitsForASecondPerson() {
	t, s := a.t, a.s
	s.written("u9")
	t.Log("while a measure on the same person is on its way")
	answers, before := make(chan struct{}), s.did()
	s.set(func(_ nethttp.ResponseWriter, path string) bool {
		if path == "people/suspend" {
			<-answers
		}
		return false
	})
	other := a.file("51", "member2@demo.test")
	a.impose(other, "suspend", nil)
	tasks := one[int](t, a.pool, `SELECT count(*) FROM core_queue WHERE name = 'remote.action'`)
	id := a.file("52", "member1@demo.test")
	held := a.must(id, "/resolve", map[string]any{"resolution": "action_taken", "action": "remove", "measures": []any{map[string]any{"authorId": "u9", "kind": "terminate"}}})["held"].(map[string]any)["id"].(string)
	status, answer := a.do(a.admin, id, "/actions/warn", nil)
	require.Equal(t, []any{nethttp.StatusConflict, "invalid_state"}, []any{status, answer["error"]})
	require.Equal(t, []string{"created", "decision_held"}, a.timeline(id))
	require.Equal(t, tasks, one[int](t, a.pool, `SELECT count(*) FROM core_queue WHERE name = 'remote.action'`), "the suspension alone is asked for")
	approve := func(version int) int {
		status, _, err := a.p.send(a.lead, nethttp.MethodPost, "/moderation/held/"+held+"/approve", map[string]any{"expectedVersion": version})
		require.NoError(t, err)
		return status
	}
	require.Equal(t, nethttp.StatusOK, approve(2))
	close(answers)
	a.settled(id)
	a.settled(other)
	timeline := a.timeline(id)
	require.Equal(t, []string{"created", "decision_held", "held_released", "action_requested", "resolved", "measure_imposed", "measure_pending"}, timeline[:7])
	require.ElementsMatch(t, []string{"action", "measure_confirmed"}, timeline[7:])
	require.Equal(t, []string{"suspend", "terminate"}, s.barred("u9"))
	require.Equal(t, before+3, s.did(), "each once")
	require.Equal(t, nethttp.StatusConflict, approve(3))

	t.Log("while an action on the same content is on its way, nothing is held")
	pending := a.file("53", "member3@demo.test")
	a.answers("actions/warn", nethttp.StatusServiceUnavailable)
	a.must(pending, "/actions/warn", nil)
	status, answer = a.do(a.admin, pending, "/resolve", map[string]any{"resolution": "action_taken", "action": "remove"})
	require.Equal(t, []any{nethttp.StatusConflict, "action_unavailable"}, []any{status, answer["error"]})
	s.set(nil)
	pgtest.Eventually(t, func() bool { retryNow(t, a.pool); return len(a.timeline(pending)) == 3 }, "the warning is given")
}
