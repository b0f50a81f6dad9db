package cmd

import (
	"fmt"
	nethttp "net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
)

// waitingHere finds the transactions that wait for what the test holds.
const waitingHere = `FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 4711
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// TestKilledWhileItDecidesACase kills the server in the middle of a decision on 200
// reports: before it has written anything, and while it writes. Each time all of it is
// done or none.
func TestKilledWhileItDecidesACase(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 3})
	accounts, err := account.New(pool, account.Config{})
	require.NoError(t, err)
	p := startProcess(t, environment, "demo")
	post := one[string](t, pool, `INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, updated_at, published_at)
		SELECT topic_id, category_id, author_id, title, body, now(), now() FROM forum_posts WHERE status = 'published' ORDER BY id LIMIT 1 RETURNING id::text`)
	members := make([]account.NewUser, moderation.MaxCaseReports)
	for i := range members {
		members[i] = account.NewUser{Email: fmt.Sprintf("reporter%d@case.test", i), Name: fmt.Sprint("Reporter ", i)}
	}
	users, err := accounts.EnsureUsers(t.Context(), members)
	require.NoError(t, err)
	var reports []map[string]any
	for _, user := range users {
		session, err := accounts.StartSession(t.Context(), user.ID)
		require.NoError(t, err)
		reporter := &nethttp.Client{Jar: &cookie{[]*nethttp.Cookie{{Name: "docket_session", Value: session.ID}}}}
		reports = append(reports, map[string]any{"id": p.file(reporter, post), "expectedVersion": 1})
	}
	last := slices.MaxFunc(reports, func(a, b map[string]any) int { return strings.Compare(a["id"].(string), b["id"].(string)) })["id"]
	decision := map[string]any{"target": map[string]string{"pluginId": "forum", "type": "forum.post", "id": post},
		"reports": reports, "action": "hide", "resolve": map[string]string{"resolution": "action_taken"}}

	// done is how many reports are decided. All of a decision agrees with it.
	done := func() int {
		decided := one[int](t, pool, `SELECT count(*) FROM core_moderation_reports WHERE target_id = $1 AND status = 'done'`, post)
		if decided != 0 {
			require.Equal(t, len(reports), decided)
		}
		events := func(kind string) int {
			return one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events e JOIN core_moderation_reports r ON r.id = e.report_id
				WHERE r.target_id = $1 AND e.type = $2`, post, kind)
		}
		require.Equal(t, decided, events("resolved"))
		require.Equal(t, decided, events("assigned"))
		require.Equal(t, decided, one[int](t, pool, `SELECT count(*) FROM watermill_docket_events m JOIN core_moderation_report_events e ON e.event_id::text = m.uuid
			JOIN core_moderation_reports r ON r.id = e.report_id WHERE r.target_id = $1 AND m.metadata->>'name' = 'moderation.report.resolved'`, post))
		require.Equal(t, decided > 0, one[bool](t, pool, `SELECT hidden_at IS NOT NULL FROM forum_posts WHERE id::text = $1`, post))
		require.Equal(t, min(decided, 1), events("action"), "the action runs once")
		return decided
	}

	// What the decision waits for is held by the test until the server is dead.
	pgtest.Exec(t, pool, `CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$`)
	for _, at := range []struct{ name, event, table, when string }{
		{"in the action", "UPDATE", "forum_posts", "true"},
		{"at the first event", "INSERT", "core_moderation_report_events", "NEW.type = 'resolved'"},
		{"at the last report", "UPDATE", "core_moderation_reports", fmt.Sprintf("NEW.status = 'done' AND NEW.id = '%s'", last)},
	} {
		if done() > 0 {
			break // the connection had the rest of it already
		}
		pgtest.Exec(t, pool, `CREATE TRIGGER wait_here BEFORE `+at.event+` ON `+at.table+` FOR EACH ROW WHEN (`+at.when+`) EXECUTE FUNCTION wait_here()`)
		held, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		pgtest.Exec(t, held, `SELECT pg_advisory_lock(4711)`)
		moderator, answered := p.signIn("moderator@demo.test"), make(chan struct{})
		go func() {
			defer close(answered)
			_, _, _ = p.send(moderator, nethttp.MethodPost, "/moderation/cases/decide", decision)
		}()
		pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) `+waitingHere) == 1 }, "the decision is in the middle: %s", at.name)
		p.kill()
		<-answered
		pgtest.Exec(t, held, `SELECT pg_advisory_unlock(4711)`)
		held.Release()
		pgtest.Eventually(t, func() bool {
			return one[int](t, pool, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`) == 0
		}, "the database has ended what the server began")
		t.Logf("killed %s: %d of %d are decided", at.name, done(), len(reports))
		pgtest.Exec(t, pool, `DROP TRIGGER wait_here ON `+at.table)
		p = startProcess(t, environment, "demo")
	}

	if done() == 0 {
		p.must(p.signIn("moderator@demo.test"), nethttp.MethodPost, "/moderation/cases/decide", decision)
	}
	require.Equal(t, len(reports), done())
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}
