package cmd

import (
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given two servers with a rule that is live and one in the shadow, when one after the other is killed while
// members file, then each report that a rule matches has its event once, also by a version that was published in
// the middle.
func TestKilledServersRecordEachMatchOnce(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	servers := &pair{}
	servers.replace(0, startProcess(t, environment, "demo"))
	servers.replace(1, startProcess(t, environment, "demo"))
	admin := servers.server(0).signIn("admin@demo.test")
	publish := func(p *process, key, when, mode string, points int) {
		p.must(admin, nethttp.MethodPost, "/admin/rules", map[string]any{"key": key, "title": key, "when": when, "then": map[string]any{"points": points, "tags": []string{"seen"}}})
		pgtest.Eventually(t, func() bool { // a busy database is tried again
			status, _, err := p.send(admin, nethttp.MethodPost, "/admin/rules/"+key+"/mode", map[string]any{"mode": mode})
			return err == nil && status == nethttp.StatusOK
		}, "the rule %s is %s", key, mode)
	}
	publish(servers.server(0), "acts", `reason == "spam"`, "live", 10)
	publish(servers.server(0), "quiet", `reporters >= 2`, "shadow", 90)
	members := make([]*nethttp.Client, 8)
	for m := range members {
		members[m] = servers.server(m).signIn(fmt.Sprintf("member%d@demo.test", m+1))
	}

	const matches = `SELECT count(*) FROM core_moderation_report_events e WHERE e.type = 'rule_matched'`
	var slowest time.Duration
	for n := range 5 {
		id := servers.server(n).file(members[n], fmt.Sprint(21+n))
		filed := time.Now()
		pgtest.Eventually(t, func() bool { return one[int](t, pool, matches+` AND e.report_id::text = $1`, id) == 1 }, "the match of %s stands", id)
		slowest = max(slowest, time.Since(filed))
	}
	require.Less(t, slowest, 30*time.Second)
	t.Logf("the match stands %s after the filing at most", slowest.Round(time.Millisecond))

	// What waits is in the middle of its transaction until no server is left.
	pgtest.Exec(t, pool, `CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$`)
	for n, at := range []struct{ name, table, when string }{
		{name: "while members file"},
		{"while matches are recorded", "core_moderation_report_events", "NEW.type = 'rule_matched'"},
		{"while filings are judged", "core_queue", "NEW.name = 'rules.match'"},
		{name: "while members file"},
	} {
		var held *pgxpool.Conn
		var release func()
		if at.table != "" {
			pgtest.Exec(t, pool, `CREATE TRIGGER wait_here BEFORE INSERT ON `+at.table+` FOR EACH ROW WHEN (`+at.when+`) EXECUTE FUNCTION wait_here()`)
			var err error
			held, err = pool.Acquire(t.Context())
			require.NoError(t, err)
			release = sync.OnceFunc(held.Release)
			t.Cleanup(release) // closing the pool waits for it
			pgtest.Exec(t, held, `SELECT pg_advisory_lock(4711)`)
		}
		var load sync.WaitGroup
		filed := make(chan struct{}, 4*len(members))
		for m, member := range members {
			load.Go(func() {
				for post := n*4 + 1; post <= n*4+4; post++ {
					reason := "spam"
					if (post+m)%4 == 0 {
						reason = "other"
					}
					servers.send(m+post, member, "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(post),
						"reason": reason, "description": "why"})
					filed <- struct{}{}
				}
			})
		}
		if held == nil {
			for range 4 + 2*n { // at a different place each time
				<-filed
			}
			servers.server(n).kill()
			servers.replace(n, startProcess(t, environment, "demo"))
			load.Wait()
			continue
		}
		load.Wait()
		pgtest.Eventually(t, func() bool { return one[int](t, pool, `SELECT count(*) `+waitingHere) > 0 }, "something waits: %s", at.name)
		if at.table == "core_queue" {
			publish(servers.server(n), "acts", `reason == "spam" && reporters >= 1`, "live", 20)
		}
		servers.server(0).kill()
		servers.server(1).kill()
		pgtest.Exec(t, held, `SELECT pg_advisory_unlock(4711)`)
		release()
		pgtest.Exec(t, pool, `DROP TRIGGER wait_here ON `+at.table)
		servers.replace(0, startProcess(t, environment, "demo"))
		servers.replace(1, startProcess(t, environment, "demo"))
	}

	// One version of the live rule matches each report of spam, and the rule in the shadow all but the first report of a post.
	reports := one[int](t, pool, `SELECT count(*) FROM core_moderation_reports WHERE created_at > (SELECT max(mode_at) FROM core_rules WHERE version = 1)`)
	require.Greater(t, reports, 50)
	const missing = `SELECT count(*) FROM core_moderation_reports r, (VALUES ('acts'), ('quiet')) k (key)
		WHERE r.created_at > (SELECT max(mode_at) FROM core_rules WHERE version = 1)
		AND (k.key = 'acts' AND r.reason = 'spam' OR k.key = 'quiet' AND EXISTS (SELECT FROM core_moderation_reports x JOIN core_moderation_report_events xe ON xe.report_id = x.id AND xe.type = 'created'
			JOIN core_moderation_log xl USING (event_id), core_moderation_report_events e JOIN core_moderation_log l USING (event_id)
			WHERE x.target_id = r.target_id AND x.target_type = r.target_type AND e.report_id = r.id AND e.type = 'created' AND xl.position < l.position))
		AND NOT EXISTS (SELECT FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.type = 'rule_matched' AND convert_from(e.payload, 'UTF8')::jsonb->>'rule' = k.key)`
	settled := func() bool {
		return one[int](t, pool, missing) == 0 && one[int](t, pool, `SELECT count(*) FROM core_queue WHERE name = 'rules.match' AND status IN ('pending', 'processing')`) == 0
	}
	pgtest.Eventually(t, settled, "what each rule matched stands")
	require.Positive(t, one[int](t, pool, `SELECT count(*) FROM core_queue WHERE name = 'rules.match' AND attempts > 1`), "a server was killed while it recorded matches")
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM (SELECT FROM core_moderation_report_events e WHERE e.type = 'rule_matched'
		GROUP BY e.report_id, convert_from(e.payload, 'UTF8')::jsonb->>'rule' HAVING count(*) > 1) s`), "each once, by one version")
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events e JOIN core_moderation_reports r ON r.id = e.report_id, LATERAL (SELECT convert_from(e.payload, 'UTF8')::jsonb) x (p)
		WHERE e.type = 'rule_matched' AND (p->>'rule' = 'acts' AND r.reason <> 'spam' OR (p->>'rule' = 'quiet') <> coalesce((p->>'shadow')::bool, false))`), "no other")
	t.Logf("%d reports, %d matches, %d of them by the second version", reports, one[int](t, pool, matches),
		one[int](t, pool, matches+` AND convert_from(e.payload, 'UTF8')::jsonb->>'version' = '2'`))
	p, events := servers.server(0), one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)
	pgtest.Eventually(t, func() bool { return p.projected(admin, events) }, "all %d events are projected", events)
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}
