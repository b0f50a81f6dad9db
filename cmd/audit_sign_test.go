package cmd

import (
	nethttp "net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a running server and commands beside it, then every event that they append and every
// change of staff entries that they make is signed.
func TestServersAndCommandsSignWhatTheyDo(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(t.TempDir(), "audit")}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	p := startProcess(t, environment, "demo")
	admin, member, moderator := p.signIn("admin@demo.test"), p.signIn("member1@demo.test"), p.signIn("moderator@demo.test")

	id := p.file(member, "1")
	p.claim(moderator, id)
	p.must(moderator, nethttp.MethodPost, "/moderation/reports/"+id+"/notes", map[string]string{"body": "A note."})
	gone := one[string](t, pool, `SELECT id::text FROM core_users WHERE email = 'member1@demo.test'`)
	p.must(admin, nethttp.MethodPost, "/admin/staff/entry/moderator", map[string]string{"userId": gone})
	for _, args := range [][]string{
		{"user", "create", "--email", "root@demo.test", "--name", "Root", "--admin-root"},
		{"user", "delete", "member1@demo.test"},
		{"erase", "--report", id},
	} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, "%v: %s", args, got.stderr)
	}

	require.Equal(t, []string{"created", "assigned", "note_added", "account_removed", "evidence_erased"},
		one[[]string](t, pool, `SELECT array_agg(type ORDER BY sequence) FROM core_moderation_report_events`))
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events WHERE signature IS NULL`))
	require.NotZero(t, one[int](t, pool, `SELECT count(*) FROM core_ledger d JOIN core_ledger c USING (kind, key) WHERE d.action = 'deleted'
		AND c.action = 'created' AND convert_from(c.payload, 'UTF8')::json ->> 'user_id' = $1`, gone))
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM core_ledger WHERE signature IS NULL`))
	verified := docket(t, environment, "audit", "verify")
	require.Equal(t, 0, verified.status, verified.stdout+verified.stderr)
	require.Contains(t, verified.stdout, "every event is signed")
	require.Contains(t, verified.stdout, "records of staff, mutes, policies, rules, platforms and holds checked; when it began, 0 rows stood that no server had signed")
}
