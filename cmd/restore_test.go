package cmd

import (
	nethttp "net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/subscribers/webhook"
)

// ownCluster is a private PostgreSQL that outlives the servers of a test.
type ownCluster struct {
	environment map[string]string
	url         string
	pool        *pgxpool.Pool
}

func newOwnCluster(t *testing.T) *ownCluster {
	t.Helper()
	dir := reachableDir(t)
	cluster, err := local.Start(t.Context(), dir, zerolog.Nop())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Stop()) })
	c := &ownCluster{environment: map[string]string{"DOCKET_DATA_DIR": dir, "DATABASE_URL": ""}, url: cluster.URL()}
	c.pool, err = postgres.Open(t.Context(), c.url, postgres.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(c.pool.Close)
	return c
}

// one gives the single value of a query.
func one[T any](t testing.TB, pool *pgxpool.Pool, sql string, args ...any) (v T) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&v))
	return v
}

// runPostgres runs one of PostgreSQL's own programs.
func runPostgres(t *testing.T, name string, args ...string) {
	t.Helper()
	out, err := exec.Command(postgresProgram(t, name), args...).CombinedOutput()
	require.NoError(t, err, "%s: %s", name, out)
}

func postgresProgram(t testing.TB, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	require.NoError(t, err)
	require.NotEmpty(t, found, "%s comes with PostgreSQL", name)
	return found[len(found)-1]
}

// deliveries counts what a webhook was sent, by event.
type deliveries struct {
	*httptest.Server
	mu    sync.Mutex
	count map[string]int
}

func newDeliveries(t *testing.T) *deliveries {
	t.Helper()
	d := &deliveries{count: map[string]int{}}
	d.Server = httptest.NewServer(nethttp.HandlerFunc(func(_ nethttp.ResponseWriter, r *nethttp.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.count[r.Header.Get("webhook-id")]++
	}))
	t.Cleanup(d.Server.Close)
	return d
}

func (d *deliveries) events() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.count)
}

func (d *deliveries) times(event string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count[event]
}

// must sends a request that succeeds and gives the answer.
func (p *process) must(client *nethttp.Client, method, path string, body any) map[string]any {
	p.t.Helper()
	status, answer, err := p.send(client, method, path, body)
	require.NoError(p.t, err)
	require.Less(p.t, status, 300, "%s %s: %v", method, path, answer)
	return answer
}

func (p *process) file(client *nethttp.Client, post string) (id string) {
	p.t.Helper()
	return p.must(client, nethttp.MethodPost, "/moderation/reports",
		map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "reason": "spam"})["id"].(string)
}

func (p *process) claim(client *nethttp.Client, report string) {
	p.t.Helper()
	p.must(client, nethttp.MethodPost, "/moderation/reports/"+report+"/claim", map[string]int{"expectedVersion": 1})
}

// projected reports whether every projection is live and has projected all of n events.
func (p *process) projected(admin *nethttp.Client, n int) bool {
	p.t.Helper()
	items := p.must(admin, nethttp.MethodGet, "/admin/advanced/projections", nil)["items"].([]any)
	live := 0
	for _, i := range items {
		if item := i.(map[string]any); item["state"] == "live" && item["position"] == float64(n) {
			live++
		}
	}
	return live == len(items) && live > 0
}

// Given a dump of a cluster that is older than the one it is restored into, with
// events that were not sealed, not projected and not read by the webhooks' group
// when it was taken.
func TestADumpServesAtOnceInAFreshCluster(t *testing.T) {
	t.Parallel()
	heard := newDeliveries(t)
	source := newOwnCluster(t)
	settings := []string{"DOCKET_WEBHOOK_ALLOW_PRIVATE", "true", "DOCKET_AUDIT_DIR", filepath.Join(t.TempDir(), "audit")}
	source.environment = with(source.environment, settings...)
	pgtest.Exec(t, source.pool, `DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`)

	old := startProcess(t, source.environment, "demo")
	admin := old.signIn("admin@demo.test")
	old.must(admin, nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": heard.URL, "events": []string{"moderation.report.*"}})
	read := old.file(old.signIn("member1@demo.test"), "1")
	old.claim(old.signIn("moderator@demo.test"), read)
	pgtest.Eventually(t, func() bool { return heard.events() == 2 }, "the first events are delivered")
	kept := docket(t, source.environment, "audit", "checkpoint")
	require.Equal(t, 0, kept.status, kept.stderr)

	hold := pgtest.Begin(t, source.pool)
	for _, sql := range []string{
		`SELECT FROM watermill_offsets_docket_events WHERE consumer_group = '` + webhook.Group + `' FOR UPDATE`,
		`SELECT pg_advisory_xact_lock(hashtextextended('docket:sealer', 0))`,
	} {
		pgtest.Exec(t, hold, sql)
	}
	unread := old.file(old.signIn("member2@demo.test"), "2")
	old.claim(old.signIn("moderator@demo.test"), unread)
	old.kill()
	require.NoError(t, hold.Rollback(t.Context()))
	sealed := one[int](t, source.pool, `SELECT count(*) FROM core_moderation_log`)
	require.Less(t, sealed, one[int](t, source.pool, `SELECT count(*) FROM core_moderation_report_events`))
	require.Equal(t, 2, heard.events())

	dump := filepath.Join(t.TempDir(), "dump")
	runPostgres(t, "pg_dump", "--format=custom", "--file="+dump, source.url)
	fresh := newOwnCluster(t)
	fresh.environment = with(fresh.environment, settings...)
	runPostgres(t, "pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--dbname="+fresh.url, dump)
	require.True(t, one[bool](t, fresh.pool, `SELECT min(transaction_id) >= pg_snapshot_xmax(pg_current_snapshot()) FROM core_moderation_report_events`),
		"the dump is of an older cluster")

	// When a server starts on it, then it reads and takes commands at once.
	p := startProcess(t, fresh.environment, "demo")
	moderator := p.signIn("moderator@demo.test")
	require.Len(t, p.must(moderator, nethttp.MethodGet, "/moderation/reports", nil)["edges"], 2)
	require.Equal(t, "in_progress", p.must(moderator, nethttp.MethodGet, "/moderation/reports/"+unread, nil)["status"])
	p.claim(moderator, p.file(p.signIn("member3@demo.test"), "3"))
	p.must(moderator, nethttp.MethodPost, "/moderation/reports/"+read+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "no_violation"})

	// Then everything is sealed and projected.
	events := one[int](t, fresh.pool, `SELECT count(*) FROM core_moderation_report_events`)
	admin = p.signIn("admin@demo.test")
	pgtest.Eventually(t, func() bool { return p.projected(admin, events) }, "all events are projected")
	require.Equal(t, events, one[int](t, fresh.pool, `SELECT max(position) FROM core_moderation_log`))

	// Then what was unread is delivered, what is new too, and nothing twice.
	messages := one[[]string](t, fresh.pool, `SELECT array_agg(uuid) FROM watermill_docket_events WHERE metadata->>'name' LIKE 'moderation.report.%'`)
	require.Len(t, messages, 7)
	pgtest.Eventually(t, func() bool { return heard.events() == len(messages) }, "what was unread is delivered")
	for _, id := range messages {
		require.Equal(t, 1, heard.times(id), "event %s", id)
		require.Equal(t, 1, one[int](t, fresh.pool, `SELECT count(*) FROM core_webhook_deliveries WHERE event_id = $1`, id))
	}

	// Then the log is what the kept checkpoint attests.
	whole := docket(t, fresh.environment, "audit", "verify")
	require.Equal(t, 0, whole.status, whole.stdout+whole.stderr)
	require.Contains(t, whole.stdout, "1 checkpoint checked, 0 findings")
	require.Equal(t, 0, docket(t, fresh.environment, "projections", "verify").status)
	pgtest.Exec(t, fresh.pool, `ALTER TABLE core_moderation_log DISABLE TRIGGER ALL; DELETE FROM core_moderation_log WHERE position = 1`)
	tampered := docket(t, fresh.environment, "audit", "verify")
	require.Equal(t, 1, tampered.status)
	require.Contains(t, tampered.stdout, "position 1: the position is missing from the log")
}
