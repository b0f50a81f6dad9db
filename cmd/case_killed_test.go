package cmd

import (
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// TestKilledWhileItDecidesACase kills the server while it writes the last of a decision on several
// reports and their content: all of it is done or none.
func TestKilledWhileItDecidesACase(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 3})
	p := startProcess(t, environment, "demo")
	pgtest.Exec(t, pool, `UPDATE forum_posts SET author_id = (SELECT id FROM core_users WHERE email = 'member9@demo.test') WHERE id = 1`)
	var reports []map[string]any
	for n := range 8 {
		reports = append(reports, map[string]any{"id": p.file(p.signIn(fmt.Sprintf("member%d@demo.test", n+1)), "1"), "expectedVersion": 1})
	}
	last := slices.MaxFunc(reports, func(a, b map[string]any) int { return strings.Compare(a["id"].(string), b["id"].(string)) })["id"]
	decision := map[string]any{"target": map[string]string{"pluginId": "forum", "type": "forum.post", "id": "1"},
		"reports": reports, "action": "hide", "resolve": map[string]string{"resolution": "action_taken"}}

	// done is how many reports are decided. All of a decision agrees with it.
	done := func() int {
		decided := one[int](t, pool, `SELECT count(*) FROM core_moderation_reports WHERE status = 'done'`)
		require.Contains(t, []int{0, len(reports)}, decided)
		events := func(kind string) int {
			return one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events WHERE type = $1`, kind)
		}
		require.Equal(t, decided, events("resolved"))
		require.Equal(t, decided, events("assigned"))
		require.Equal(t, decided, one[int](t, pool, `SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.resolved'`))
		require.Equal(t, decided > 0, one[bool](t, pool, `SELECT hidden_at IS NOT NULL FROM forum_posts WHERE id = 1`))
		require.Equal(t, min(decided, 1), events("action"), "the action runs once")
		return decided
	}

	pgtest.Exec(t, pool, `CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$`)
	pgtest.Exec(t, pool, fmt.Sprintf(`CREATE TRIGGER wait_here BEFORE UPDATE ON core_moderation_reports FOR EACH ROW
		WHEN (NEW.status = 'done' AND NEW.id = '%s') EXECUTE FUNCTION wait_here()`, last))
	hold := pgtest.Begin(t, pool)
	pgtest.Exec(t, hold, `SELECT pg_advisory_xact_lock(4711)`)
	moderator, answered := p.signIn("moderator@demo.test"), make(chan struct{})
	go func() {
		defer close(answered)
		_, _, _ = p.send(moderator, nethttp.MethodPost, "/moderation/cases/decide", decision)
	}()
	pgtest.Eventually(t, func() bool {
		return one[bool](t, pool, `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 4711
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`)
	}, "the decision is in the middle")
	p.kill()
	<-answered
	require.NoError(t, hold.Rollback(t.Context()))
	pgtest.Eventually(t, func() bool {
		return one[int](t, pool, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`) == 0
	}, "the database has ended what the server began")
	pgtest.Exec(t, pool, `DROP TRIGGER wait_here ON core_moderation_reports`)

	p = startProcess(t, environment, "demo")
	if done() == 0 { // else the connection had the rest of it already
		p.must(moderator, nethttp.MethodPost, "/moderation/cases/decide", decision)
	}
	require.Equal(t, len(reports), done())
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}
