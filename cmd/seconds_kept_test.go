package cmd

import (
	nethttp "net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Second opinions are facts of the log: an export has them, rebuilding and a backup keep them, with the turn that somebody has,
// and the deletion of the accounts of those who decided takes their names alone.
func TestSecondOpinionsOutliveBackupsAndAccounts(t *testing.T) {
	t.Parallel()
	audit := filepath.Join(t.TempDir(), "audit")
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": audit}
	p := startProcess(t, environment, "demo")
	pool := connectTo(t, environment["DATABASE_URL"])
	admin := p.signIn("admin@demo.test")
	for _, email := range []string{"member4@demo.test", "member5@demo.test", "member6@demo.test"} {
		entry := p.must(admin, nethttp.MethodPost, "/admin/staff/entry/moderator", map[string]any{"userId": one[string](t, pool, `SELECT id::text FROM core_users WHERE email = $1`, email)})["id"].(string)
		p.must(admin, nethttp.MethodPatch, "/admin/staff/entry/moderator/"+entry, map[string]any{"unrestricted": true})
	}
	run := func(args ...string) string {
		t.Helper()
		got := docket(t, environment, args...)
		require.Zero(t, got.status, "%v: %s%s", args, got.stdout, got.stderr)
		return got.stdout
	}
	p.must(admin, nethttp.MethodPut, "/admin/quality", map[string]any{"percent": 100, "golden": 0})
	first, second, third := p.signIn("member4@demo.test"), p.signIn("member5@demo.test"), p.signIn("member6@demo.test")
	decide := func(post string) string {
		id := p.file(p.signIn("member1@demo.test"), post)
		p.must(first, nethttp.MethodPost, "/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"})
		return id
	}
	take := func(client *nethttp.Client) (task map[string]any) {
		t.Helper()
		pgtest.Eventually(t, func() bool {
			p.runJob(admin, "checkpoint")
			var status int
			status, task, _ = p.send(client, nethttp.MethodPost, "/moderation/next?kind=second", nil)
			return status == nethttp.StatusOK
		}, "a decision is drawn")
		return task
	}
	settled := decide("1")
	path := "/moderation/seconds/" + take(second)["id"].(string)
	p.must(second, nethttp.MethodPost, path, map[string]any{"resolution": "action_taken"})
	p.must(third, nethttp.MethodPost, path+"/settle", map[string]any{"stands": true, "reason": "xsettled, as it was."})
	blind := decide("2")
	turn := take(second)["id"]
	seen := func() []any {
		all := p.must(third, nethttp.MethodGet, "/moderation/seconds?status=settled", nil)["edges"].([]any)
		return []any{all, p.must(third, nethttp.MethodGet, "/moderation/stats/agreement?by=reason", nil)}
	}
	pgtest.Eventually(t, func() bool { return len(seen()[0].([]any)) == 1 }, "it is settled")
	before := seen()
	require.Regexp(t, `(?s)"second_decided".*"second_settled"`, run("audit", "export"))
	run("projections", "rebuild", "seconds")
	require.Equal(t, before, seen())
	p.end(syscall.SIGTERM)

	backup := filepath.Join(t.TempDir(), "backup.zip")
	run("backup", backup)
	restored := filepath.Join(t.TempDir(), "audit")
	environment = with(environment, "DATABASE_URL", pgtest.Empty(t), "DOCKET_AUDIT_DIR", restored)
	run("restore", backup)
	key, err := os.ReadFile(filepath.Join(audit, "key")) // which no backup holds
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(restored, "key"), key, 0o600))
	pool = connectTo(t, environment["DATABASE_URL"])
	p = startProcess(t, environment, "demo")
	admin, second, third = p.signIn("admin@demo.test"), p.signIn("member5@demo.test"), p.signIn("member6@demo.test")
	require.Equal(t, before, seen())
	require.Equal(t, turn, take(second)["id"], "it is still theirs")
	status, _, err := p.send(second, nethttp.MethodGet, "/moderation/reports/"+blind, nil)
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusNotFound, status)

	for _, email := range []string{"member4@demo.test", "member5@demo.test"} {
		run("user", "delete", email)
	}
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM core_second_turns`), "nobody has a turn any more")
	after := seen()
	require.Equal(t, before[1], after[1], "the figures stay")
	one := after[0].([]any)[0].(map[string]any)
	for _, verdict := range []string{"first", "second"} {
		require.Nil(t, one[verdict].(map[string]any)["by"], verdict)
	}
	require.Equal(t, []any{"no_violation", "action_taken", "xsettled, as it was."},
		[]any{one["first"].(map[string]any)["resolution"], one["second"].(map[string]any)["resolution"], one["settled"].(map[string]any)["reason"]})
	run("erase", "--report", settled)
	require.Empty(t, kept(t, pool, "xsettled"))
	require.NotRegexp(t, `[1-9]\d* wrong`, run("projections", "verify"))
	run("audit", "checkpoint")
	require.Contains(t, run("audit", "verify"), "0 findings")
}
