package cmd

import (
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Signals, measures and the source of a report are facts of the log: an export has them, rebuilding and a backup keep them, and neither the erasure
// of a report nor the deletion of the accounts of its reporter and author takes them or breaks a verification.
func TestSignalsAndMeasuresOutliveEverything(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit")}
	run := func(environment map[string]string, args ...string) string {
		t.Helper()
		got := docket(t, environment, args...)
		require.Zero(t, got.status, "%v: %s%s", args, got.stdout, got.stderr)
		return got.stdout
	}
	sound := func(environment map[string]string) {
		t.Helper()
		run(environment, "audit", "checkpoint")
		require.Contains(t, run(environment, "audit", "verify"), "0 findings")
		require.NotRegexp(t, `[1-9]\d* wrong`, run(environment, "projections", "verify"))
	}
	p := startProcess(t, environment, "demo")
	file := func(p *process, member string) string {
		t.Helper()
		status, filed, err := p.send(p.signIn(member), nethttp.MethodPost, "/moderation/reports",
			map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "spam", "description": "words of a member"})
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusCreated, status, filed)
		return filed["id"].(string)
	}
	root := p.signIn("admin@demo.test")
	member := p.must(root, nethttp.MethodGet, "/admin/users?search=member1@demo.test", nil)["edges"].([]any)[0].(map[string]any)["id"].(string)
	p.must(root, nethttp.MethodPost, "/admin/users/"+member+"/trusted", map[string]any{"trusted": true, "name": "Hotline"})
	id := file(p, "member1@demo.test")
	machine := &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(run(environment, "token", "create", "--use", "signal", "--plugin", "forum")))}
	p.must(machine, nethttp.MethodPost, "/moderation/signals", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "signals": []any{map[string]any{"name": "spam", "score": 0.75}}})
	admin := p.signIn("admin@demo.test")
	read := func(p *process) map[string]any {
		t.Helper()
		return p.must(p.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/reports/"+id, nil)
	}
	var author string
	for _, r := range p.must(admin, nethttp.MethodGet, "/moderation/reports?reason=spam", nil)["edges"].([]any) {
		if r := r.(map[string]any); r["id"] == id {
			author = r["authors"].([]any)[0].(map[string]any)["id"].(string)
		}
	}
	p.must(admin, nethttp.MethodPost, "/admin/policies", map[string]any{"key": "flooding", "title": "No flooding", "text": "Once is enough.", "strikes": 2})
	ladder := []any{map[string]any{"strikes": 2., "kind": "suspend", "days": nil}}
	p.must(admin, nethttp.MethodPut, "/admin/ladder", map[string]any{"steps": ladder})
	p.must(admin, nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", map[string]any{"resolution": "action_taken", "expectedVersion": 1,
		"policy": map[string]any{"key": "flooding", "version": 1}, "measures": []any{map[string]any{"authorId": author, "kind": "suspend"}}})
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
		require.Subset(t, timelineTypes(r), []string{"signalled", "measure_imposed"})
	}
	requireFacts(p)
	hotline := map[string]any{"name": "Hotline"}
	require.Equal(t, hotline, read(p)["flagger"])

	sound(environment)
	export := run(environment, "audit", "export")
	require.Regexp(t, `"signalled".*"score":0.75`, export)
	require.Regexp(t, `"created".*"source":"trusted_flagger"`, export)
	require.Regexp(t, `"measure_imposed".*"kind":"suspend"`, export)
	require.Contains(t, run(environment, "replay", id), `"signals"`)
	run(environment, "projections", "rebuild")
	sound(environment)

	t.Log("a backup holds them, and what is kept for those who report later")
	backup := filepath.Join(t.TempDir(), "backup.zip")
	run(environment, "backup", backup)
	restored := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit")}
	require.Contains(t, run(restored, "restore", backup), "0 findings")
	key, err := os.ReadFile(filepath.Join(environment["DOCKET_AUDIT_DIR"], "key")) // which no backup holds
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(restored["DOCKET_AUDIT_DIR"], "key"), key, 0o600))
	there := startProcess(t, restored, "demo")
	requireFacts(there)
	require.Equal(t, hotline, read(there)["flagger"])
	require.Equal(t, true, there.must(there.signIn("admin@demo.test"), nethttp.MethodGet, "/admin/users?search=member1@demo.test", nil)["edges"].([]any)[0].(map[string]any)["trusted"])
	later := file(there, "member3@demo.test")
	signals := there.must(there.signIn("admin@demo.test"), nethttp.MethodGet, "/moderation/reports/"+later, nil)["signals"].([]any)
	require.Len(t, signals, 1)

	t.Log("an erasure takes the words alone, and so does the deletion of accounts")
	run(environment, "erase", "--report", id)
	requireFacts(p)
	require.Nil(t, read(p)["flagger"])
	run(environment, "user", "delete", "member1@demo.test")
	requireFacts(p)
	account := pgtest.One[string](t, connectTo(t, environment["DATABASE_URL"]), `SELECT email FROM core_users WHERE id::text = $1`, author)
	run(environment, "user", "delete", account)
	requireFacts(p)
	sound(environment)
	after := run(environment, "audit", "export")
	require.Contains(t, after, "signalled")
	require.True(t, strings.HasPrefix(after, strings.SplitAfter(export, "\n")[0][:40]))
}
