package cmd

import (
	"io"
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given content of a platform, when a decision imposes measures, then the platform is asked to carry
// them out, and their ends, in the order of the log; what it fails to do is told and can be asked anew.
func TestMeasuresAtAPlatform(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := connectTo(t, environment["DATABASE_URL"])
	p := startWithShop(t, environment, s.server.URL)
	admin := p.signIn("admin@demo.test")
	path := func(id string) string { return "/moderation/reports/" + id }
	file := func(review, member string) string {
		_, filed := reportReview(t, p, p.signIn(member), review)
		return filed["id"].(string)
	}
	impose := func(id, kind string, until any) map[string]any {
		report := p.must(admin, nethttp.MethodPost, path(id)+"/resolve", map[string]any{"expectedVersion": readReport(t, p, admin, id)["version"],
			"resolution": "action_taken", "measures": []any{map[string]any{"authorId": "u7", "kind": kind, "until": until}}})
		all := report["measures"].([]any)
		return all[len(all)-1].(map[string]any)
	}
	latest := func(id string) map[string]any {
		all := readReport(t, p, admin, id)["measures"].([]any)
		return all[len(all)-1].(map[string]any)
	}
	settled := func(id string) (failed any) {
		pgtest.Eventually(t, func() bool {
			m := latest(id)
			failed = m["failed"]
			return m["pending"] == false
		}, "the platform has answered")
		return failed
	}

	t.Log("what may be imposed is told, imposed, asked for and confirmed")
	first := file("7", "member1@demo.test")
	proposed := p.must(admin, nethttp.MethodGet, path(first)+"/proposal", nil)["items"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"warn", "restrict", "suspend", "terminate"}, proposed["kinds"])
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	shown := make(chan struct{}) // the platform answers after that
	s.set(func(_ nethttp.ResponseWriter, path string) bool {
		if path == "people/suspend" {
			<-shown
		}
		return false
	})
	imposed := impose(first, "suspend", until.Format(time.RFC3339Nano))
	require.Equal(t, []any{true, false}, []any{imposed["pending"], imposed["failed"]})
	close(shown)
	s.set(nil)
	require.Equal(t, false, settled(first))
	require.Equal(t, []string{"suspend"}, s.barred("u7"))
	s.mu.Lock()
	require.True(t, until.Equal(*s.measures[imposed["measureId"].(string)].until))
	s.mu.Unlock()
	timeline := []string{"created", "resolved", "measure_imposed", "measure_pending", "measure_confirmed"}
	require.Equal(t, timeline, timelineTypes(readReport(t, p, admin, first)))
	p.must(admin, nethttp.MethodPost, path(first)+"/actions/warn", map[string]any{"expectedVersion": 2})

	t.Log("what replaces the decision lifts it")
	p.must(admin, nethttp.MethodPost, path(first)+"/reopen", map[string]any{"expectedVersion": 3, "reason": "On second thoughts."})
	require.Equal(t, false, settled(first))
	require.Empty(t, s.barred("u7"))

	t.Log("a refusal is told to who asked, and ending once more asks anew")
	refuse := func(kind string) {
		s.set(func(w nethttp.ResponseWriter, asked string) bool {
			if asked == "people/"+kind {
				w.WriteHeader(nethttp.StatusForbidden)
			}
			return asked == "people/"+kind
		})
	}
	newest := func() (text []any) {
		return p.must(admin, nethttp.MethodGet, "/users/notices?locale=en", nil)["edges"].([]any)[0].(map[string]any)["paragraphs"].([]any)
	}
	second := file("8", "member2@demo.test")
	refuse("restrict")
	impose(second, "restrict", nil)
	require.Equal(t, true, settled(second))
	require.Empty(t, s.barred("u7"))
	require.Equal(t, []any{`The platform did not carry out what was decided about an author of "Great": a restriction. It is not asked again; a new decision with the measure asks anew.`,
		"The platform refused the measure: it answered 403."}, newest())
	s.set(nil)
	impose(second, "restrict", nil)
	require.Equal(t, false, settled(second))
	require.Equal(t, []string{"restrict"}, s.barred("u7"))
	refuse("end")
	end := func() {
		m := p.must(admin, nethttp.MethodGet, "/moderation/measures?kind=restrict&first=1", nil)["edges"].([]any)[0].(map[string]any)
		p.must(admin, nethttp.MethodPost, "/moderation/measures/"+m["id"].(string)+"/end", map[string]any{"reason": "It was a mistake.", "expectedVersion": m["version"]})
	}
	end()
	require.Equal(t, true, settled(second))
	require.Equal(t, []string{"restrict"}, s.barred("u7"))
	require.Contains(t, newest()[0], "did not lift what has ended")
	s.set(nil)
	end()
	require.Equal(t, false, settled(second))
	require.Empty(t, s.barred("u7"))
	answer, err := nethttp.Get(p.url + "/metrics")
	require.NoError(t, err)
	defer answer.Body.Close()
	metrics, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Contains(t, string(metrics), `docket_platform_requests_failed_total{requested="measure"} 2`)

	t.Log("what ended before the platform heard of it is not imposed")
	third := file("9", "member3@demo.test")
	up := s.down()
	impose(third, "terminate", nil)
	pgtest.Eventually(t, func() bool { return lastTask(t, pool).attempts > 0 }, "the platform is away")
	p.must(admin, nethttp.MethodPost, path(third)+"/reopen", map[string]any{"expectedVersion": 2, "reason": "On second thoughts."})
	up()
	pgtest.Eventually(t, func() bool { retryNow(t, pool); return latest(third)["pending"] == false }, "the platform is back")
	require.Equal(t, []string{"created", "resolved", "measure_imposed", "measure_pending", "measure_ended", "reopened", "measure_pending", "measure_confirmed"},
		timelineTypes(readReport(t, p, admin, third)))
	require.Empty(t, s.barred("u7"))

	t.Log("what expires is lifted, and who imposed it hears if it is not")
	fourth := file("10", "member4@demo.test")
	refuse("end")
	impose(fourth, "suspend", time.Now().Add(2*time.Second).UTC().Format(time.RFC3339Nano))
	pgtest.Eventually(t, func() bool {
		for _, job := range p.must(admin, nethttp.MethodGet, "/admin/advanced/cron?first=100", nil)["edges"].([]any) {
			if job := job.(map[string]any); job["name"] == "end-measures" {
				p.must(admin, nethttp.MethodPost, "/admin/advanced/cron/"+job["id"].(string), nil)
			}
		}
		m := latest(fourth)
		return m["endedBy"] == "expiry" && m["failed"] == true
	}, "it has expired")
	require.Equal(t, `The platform did not lift what has ended for an author of "Great": a suspension. It is not asked again; ending the measure once more asks anew.`, newest()[0])

	t.Log("a server that does not know the platform has it told, too")
	s.set(nil)
	fifth := file("11", "member5@demo.test")
	barred := s.barred("u7") // by what was not lifted above
	impose(fifth, "restrict", nil)
	require.Equal(t, false, settled(fifth))
	require.NotEqual(t, barred, s.barred("u7"))
	other := startProcess(t, environment, "demo")
	other.must(other.signIn("admin@demo.test"), nethttp.MethodPost, path(fifth)+"/reopen", map[string]any{"expectedVersion": 2, "reason": "On second thoughts."})
	require.Equal(t, false, settled(fifth))
	require.Equal(t, barred, s.barred("u7"))

	for _, args := range [][]string{{"audit", "verify"}, {"projections", "verify", "reports"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}
