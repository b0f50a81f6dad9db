package cmd

import (
	nethttp "net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a listener, a task, a job, an action and a read of a plugin that never return, when the
// server is told to stop, then it ends in time, names them, and leaves nothing of their
// transactions.
func TestServerStopsThoughAPluginIgnoresIt(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p := startOutside(t, map[string]string{"DATABASE_URL": url, "PLUGINS": "deaf"})
	pool := connectTo(t, url)
	root, member := p.signIn("admin@demo.test"), p.signIn("member1@demo.test")
	file := func(id string) map[string]string {
		return map[string]string{"pluginId": "deaf", "targetType": "deaf.thing", "targetId": id, "reason": "spam"}
	}
	id := p.must(member, nethttp.MethodPost, "/moderation/reports", file("1"))["id"].(string)
	left := make(chan error, 3)
	go func() { _, err := tick(p); left <- err }()
	go func() {
		_, _, err := p.send(member, nethttp.MethodPost, "/moderation/reports", file("endless"))
		left <- err
	}()
	go func() {
		_, _, err := p.send(root, nethttp.MethodPost, "/moderation/reports/"+id+"/actions/hide", map[string]int{"expectedVersion": 1})
		left <- err
	}()
	pgtest.Eventually(t, func() bool { return count(pool, "SELECT count(DISTINCT what) FROM deaf_notes") == 5 }, "everything has begun")

	p.end(syscall.SIGTERM)

	for range cap(left) {
		<-left //nolint:errcheck // whether they were answered does not matter
	}
	said := p.said()
	for _, named := range []string{
		`"kind":"listener","name":"deaf.reports"`, `"kind":"task","name":"deaf:sleep"`, `"kind":"job","name":"deaf:jobs:sleep"`,
		`"kind":"action","name":"deaf.thing hide"`, `"kind":"capture","name":"deaf.thing"`,
	} {
		require.Contains(t, said, named)
	}
	pgtest.Eventually(t, func() bool {
		return count(pool, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'docket%'") == 0
	}, "its connections have ended")
	require.Zero(t, count(pool, "SELECT count(*) FROM deaf_notes WHERE what = 'half'"))
	require.Zero(t, count(pool, "SELECT count(*) FROM core_moderation_report_events WHERE type = 'content_hidden'"))
}
