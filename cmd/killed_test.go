package cmd

import (
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// pair is two servers on one database, either of which may be killed.
type pair struct {
	mu      sync.Mutex
	servers [2]*process
}

func (p *pair) server(n int) *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.servers[n%2]
}

func (p *pair) replace(n int, by *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.servers[n%2] = by
}

// send posts to one of them, and to the other where that one does not answer, until
// one does.
func (p *pair) send(n int, client *nethttp.Client, path string, body any) map[string]any {
	for try := n; try < n+1000; try++ {
		if status, answer, err := p.server(try).send(client, nethttp.MethodPost, path, body); err == nil && status < 500 {
			return answer
		}
	}
	return map[string]any{"error": "neither answers"}
}

// Given two servers that seal and project what is done through both, when one after
// the other is killed in the middle of it, then each event is in the log once and
// in order, and was projected once.
func TestKilledServersSealAndProjectEachEventOnce(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_DATA_DIR": t.TempDir()}
	pool := pgtest.Open(t, environment["DATABASE_URL"], postgres.Options{MaxConns: 2})
	servers := &pair{}
	servers.replace(0, startProcess(t, environment, "demo"))
	servers.replace(1, startProcess(t, environment, "demo"))

	// Members file all they may and moderators work it until the last server was
	// killed, whichever server lives, as fast as it is taken note of: nobody comes
	// to the limit of notes, which would take a minute to be over.
	killed := make(chan struct{})
	acknowledged := make(chan struct{})
	take := func(n int) {
		for range n {
			select {
			case <-acknowledged:
			case <-killed:
			}
		}
	}
	var load sync.WaitGroup
	for m := range 6 {
		member := servers.server(m).signIn(fmt.Sprintf("member%d@demo.test", m+1))
		moderator := servers.server(m).signIn("moderator@demo.test")
		load.Go(func() {
			var reports []string
			for n := 0; ; n++ {
				select {
				case <-killed:
					return
				default:
				}
				var answer map[string]any
				if n < 20 {
					answer = servers.send(m+n, member, "/moderation/reports",
						map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(n + 1), "reason": "spam"})
					if id, is := answer["id"].(string); is {
						reports = append(reports, id)
						servers.send(m+n, moderator, "/moderation/reports/"+id+"/claim", map[string]int{"expectedVersion": 1})
					}
				} else {
					answer = servers.send(m+n, moderator, "/moderation/reports/"+reports[n%len(reports)]+"/notes", map[string]string{"body": "a note"})
				}
				if answer["error"] == nil {
					select {
					case acknowledged <- struct{}{}:
					case <-killed:
					}
				}
			}
		})
	}
	for n := range 4 {
		take(20)
		servers.server(n).kill()
		if n == 3 {
			close(killed)
		}
		load.Go(func() { take(10) }) // by the other one
		servers.replace(n, startProcess(t, environment, "demo"))
	}
	load.Wait()

	events := one[int](t, pool, `SELECT count(*) FROM core_moderation_report_events`)
	require.Greater(t, events, 150)
	t.Logf("%d events", events)
	p := servers.server(0)
	admin := p.signIn("admin@demo.test")
	pgtest.Eventually(t, func() bool { return p.projected(admin, events) }, "all %d events are projected", events)
	require.Equal(t, events, one[int](t, pool, `SELECT max(position) FROM core_moderation_log`), "no position is left out")
	require.Equal(t, events, one[int](t, pool, `SELECT count(DISTINCT event_id) FROM core_moderation_log`), "no event has two")
	require.Zero(t, one[int](t, pool, `SELECT count(*) FROM (
		SELECT sequence, lag(sequence) OVER (PARTITION BY report_id ORDER BY position) AS before
		FROM core_moderation_log JOIN core_moderation_report_events USING (event_id)) s WHERE sequence <> coalesce(before, 0) + 1`), "each report is in order")
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		got := docket(t, environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}

	// And what the admin API asks for is done by whichever server lives.
	p.must(admin, nethttp.MethodPost, "/admin/advanced/projections/daily/rebuild", nil)
	pgtest.Eventually(t, func() bool {
		run := p.must(admin, nethttp.MethodGet, "/admin/advanced/projections", nil)["runs"].([]any)[0].(map[string]any)
		require.NotEqual(t, "failed", run["state"], run)
		return run["state"] == "done"
	}, "the rebuild is done")
	require.Equal(t, 0, docket(t, environment, "projections", "verify", "daily").status)
}
