package cmd

import (
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given content and an author of a platform, when what is decided about them waits for a second person, then the platform
// hears of it once somebody approves and not before, whatever else it was asked for, also if the approval comes after a
// backup and a restore.
func TestAPlatformHearsOfAHeldDecisionOnceItIsApproved(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	manifest := shopManifest(t, s.server.URL)
	written, err := os.ReadFile(manifest)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(manifest, []byte(strings.Replace(string(written), "permission: can_hide}", "permission: can_hide, secondKey: true}", 1)), 0o600))
	audit := filepath.Join(t.TempDir(), "audit")
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": audit, "SHOP_SECRET": shopSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE": "true"}
	p := startProcess(t, environment, "demo", "--plugin", manifest)
	pool := connectTo(t, environment["DATABASE_URL"])
	admin, lead := p.signIn("admin@demo.test"), p.signIn("member4@demo.test")
	entry := p.must(admin, nethttp.MethodPost, "/admin/staff/entry/moderator", map[string]any{
		"userId": one[string](t, pool, `SELECT id::text FROM core_users WHERE email = 'member4@demo.test'`)})["id"].(string)
	p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+entry, map[string]any{"unrestricted": true})
	path := func(id string) string { return "/moderation/reports/" + id }
	file := func(review, member string) string {
		_, filed := reportReview(t, p, p.signIn(member), review)
		return filed["id"].(string)
	}
	hold := func(id, kind string) (held string) {
		t.Helper()
		r := p.must(admin, nethttp.MethodPost, path(id)+"/resolve", map[string]any{"expectedVersion": readReport(t, p, admin, id)["version"], "resolution": "action_taken",
			"action": "hide", "explanation": "It sells nothing.", "measures": []any{map[string]any{"authorId": "u7", "kind": kind}}})
		return r["held"].(map[string]any)["id"].(string)
	}
	release := func(held, verdict string, version int) (int, map[string]any) {
		t.Helper()
		status, answer, err := p.send(lead, nethttp.MethodPost, "/moderation/held/"+held+"/"+verdict, map[string]any{"expectedVersion": version})
		require.NoError(t, err)
		return status, answer
	}
	done := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.changes
	}
	settled := func(id string) {
		t.Helper()
		pgtest.Eventually(t, func() bool {
			r, answered := readReport(t, p, admin, id), 0
			for _, entry := range timelineTypes(r) {
				switch entry {
				case "action_requested", "measure_pending":
					answered--
				case "action", "action_unchanged", "measure_confirmed":
					answered++
				}
			}
			return answered == 0
		}, "the platform has answered")
	}

	t.Log("while a measure on the same person is on its way")
	answers := make(chan struct{})
	s.set(func(_ nethttp.ResponseWriter, path string) bool {
		if path == "people/suspend" {
			<-answers
		}
		return false
	})
	other := file("8", "member2@demo.test")
	p.must(admin, nethttp.MethodPost, path(other)+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "measures": []any{map[string]any{"authorId": "u7", "kind": "suspend"}}})
	first := file("7", "member1@demo.test")
	held := hold(first, "terminate")
	status, answer, err := p.send(admin, nethttp.MethodPost, path(first)+"/actions/warn", map[string]any{"expectedVersion": 2})
	require.NoError(t, err)
	require.Equal(t, []any{nethttp.StatusConflict, "invalid_state"}, []any{status, answer["error"]})
	require.Equal(t, []string{"created", "decision_held"}, timelineTypes(readReport(t, p, admin, first)))
	require.Equal(t, 1, one[int](t, pool, `SELECT count(*) FROM core_queue WHERE name = 'remote.action'`), "the suspension alone is asked for")
	status, answer = release(held, "approve", 2)
	require.Equal(t, nethttp.StatusOK, status, answer)
	close(answers)
	settled(first)
	settled(other)
	timeline := timelineTypes(readReport(t, p, admin, first))
	require.Equal(t, []string{"created", "decision_held", "held_released", "action_requested", "resolved", "measure_imposed", "measure_pending"}, timeline[:7])
	require.ElementsMatch(t, []string{"action", "measure_confirmed"}, timeline[7:])
	require.Equal(t, []string{"suspend", "terminate"}, s.barred("u7"))
	require.Equal(t, 3, done(), "each once")
	status, _ = release(held, "approve", 3)
	require.Equal(t, nethttp.StatusConflict, status)

	t.Log("while an action on the same content is on its way, nothing is held")
	s.set(nil)
	pending := file("9", "member3@demo.test")
	s.set(func(w nethttp.ResponseWriter, path string) bool {
		if path == "actions/warn" {
			w.WriteHeader(nethttp.StatusServiceUnavailable)
		}
		return path == "actions/warn"
	})
	p.must(admin, nethttp.MethodPost, path(pending)+"/actions/warn", map[string]any{"expectedVersion": 1})
	status, answer, err = p.send(admin, nethttp.MethodPost, path(pending)+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "action_taken", "action": "hide"})
	require.NoError(t, err)
	require.Equal(t, []any{nethttp.StatusConflict, "action_unavailable"}, []any{status, answer["error"]})
	s.set(nil)
	pgtest.Eventually(t, func() bool {
		retryNow(t, pool)
		return len(timelineTypes(readReport(t, p, admin, pending))) == 3
	}, "the warning is given")

	t.Log("a backup has what waits, and it is approved where it is restored")
	held = hold(pending, "restrict")
	before := done()
	lapsing := file("10", "member5@demo.test")
	late := hold(lapsing, "restrict")
	p.end(syscall.SIGTERM)
	backup := filepath.Join(t.TempDir(), "backup.zip")
	made := docket(t, environment, "backup", backup)
	require.Zero(t, made.status, made.stdout+made.stderr)
	restored := filepath.Join(t.TempDir(), "audit")
	environment = with(environment, "DATABASE_URL", pgtest.Empty(t), "DOCKET_AUDIT_DIR", restored)
	back := docket(t, environment, "restore", backup)
	require.Zero(t, back.status, back.stdout+back.stderr)
	key, err := os.ReadFile(filepath.Join(audit, "key")) // which no backup holds
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(restored, "key"), key, 0o600))
	pool = connectTo(t, environment["DATABASE_URL"])
	p = startProcess(t, environment, "demo", "--plugin", manifest)
	admin, lead = p.signIn("admin@demo.test"), p.signIn("member4@demo.test")
	require.Len(t, p.must(lead, nethttp.MethodGet, "/moderation/held", nil)["edges"], 2)
	require.Equal(t, before, done())
	status, answer = release(held, "approve", 3)
	require.Equal(t, nethttp.StatusOK, status, answer)
	require.Equal(t, "It sells nothing.", answer["explanation"])
	settled(pending)
	require.Equal(t, []string{"restrict", "suspend", "terminate"}, s.barred("u7"))
	require.Equal(t, before+2, done(), "it is hidden and the author restricted, once")

	t.Log("and lapses there")
	pgtest.Exec(t, pool, `UPDATE core_moderation_reports SET held = jsonb_set(held::jsonb, '{expiresAt}', held::jsonb -> 'at')::json WHERE held IS NOT NULL`)
	p.runJob(admin, "lapse-held")
	status, _ = release(late, "approve", 2)
	require.Equal(t, nethttp.StatusConflict, status)
	require.Equal(t, []string{"created", "decision_held", "held_lapsed"}, timelineTypes(readReport(t, p, admin, lapsing)))
	require.Equal(t, before+2, done())
	for _, args := range [][]string{{"audit", "verify"}, {"projections", "verify", "reports"}} {
		got := docket(t, environment, args...)
		require.Zero(t, got.status, "%v: %s%s", args, got.stdout, got.stderr)
	}
}
