package cmd

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a back-test that runs, when its server is killed at the beginning, and the one that takes it over at the
// end, then a third one does it, and its result is that of one which nobody killed.
func TestABacktestOutlivesKilledServers(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 3})
	p := startProcess(t, environment, "demo")
	admin, member := p.signIn("admin@demo.test"), p.signIn("member1@demo.test")
	for _, post := range []string{"1", "2", "3"} {
		p.file(member, post)
	}
	const all = "/admin/rules/backtests"
	events := one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)
	pgtest.Eventually(t, func() bool { return p.projected(admin, events) }, "all %d events are projected", events)

	// What a server writes of the back-test is held by the test until it is dead.
	pgtest.Exec(t, pool, `CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$`)
	held, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer held.Release()
	asked := ""
	for _, at := range []struct{ name, when string }{
		{"at the beginning", "NEW.state = 'running' AND NEW.total > 0"},
		{"at the end", "NEW.state = 'done'"},
	} {
		pgtest.Exec(t, held, `SELECT pg_advisory_lock(4711)`)
		pgtest.Exec(t, pool, `CREATE TRIGGER wait_here BEFORE UPDATE ON core_backtests FOR EACH ROW WHEN (`+at.when+`) EXECUTE FUNCTION wait_here()`)
		if asked == "" {
			asked = p.must(admin, nethttp.MethodPost, all, map[string]any{"when": `reason == "spam"`})["id"].(string)
		}
		pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) `+waitingHere) == 1 }, "a server is in the middle: %s", at.name)
		next := startProcess(t, environment, "demo")
		p.kill()
		p = next
		// The database would still do what it was told.
		pgtest.Exec(t, pool, `SELECT pg_terminate_backend(pid) `+waitingHere)
		pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) `+waitingHere) == 0 }, "the database has ended what the server began")
		pgtest.Exec(t, held, `SELECT pg_advisory_unlock(4711)`)
		pgtest.Exec(t, pool, `DROP TRIGGER wait_here ON core_backtests`)
		pgtest.Exec(t, pool, `UPDATE core_queue SET locked_until = now() WHERE status = 'processing'`) // or the next one waits for the lease
	}
	var run map[string]any
	done := func(id string) func() bool {
		return func() bool {
			run = p.must(admin, nethttp.MethodGet, all+"/"+id, nil)
			require.NotContains(t, []string{"failed", "cancelled"}, run["state"], run)
			return run["state"] == "done"
		}
	}
	pgtest.Eventually(t, done(asked), "another server does the back-test")
	result := run["result"]
	require.EqualValues(t, 3, result.(map[string]any)["matched"])
	require.Equal(t, 3, one[int](t, pool, `SELECT attempts FROM core_backtests WHERE id::text = $1`, asked))
	pgtest.Eventually(t, done(p.must(admin, nethttp.MethodPost, all, map[string]any{"when": `reason == "spam"`})["id"].(string)), "one that nobody killed")
	require.Equal(t, run["result"], result)
}
