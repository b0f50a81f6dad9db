package cmd

import (
	"fmt"
	"math/rand/v2"
	nethttp "net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers/broker"
)

// TestEverythingAtOnce lets members and moderators do all that they can, for DOCKET_MIXED or
// four seconds, on two servers of different plugins and settings, while operators erase words,
// delete accounts, rebuild projections and edit staff, a rule acts, content moves, the broker is slow, each
// server is killed once and PostgreSQL restarts. Nothing that was acknowledged is lost, no
// answer is 500, each report's events reach the broker in order, and both verifications are
// clean.
func TestEverythingAtOnce(t *testing.T) {
	t.Parallel()
	length := 4 * time.Second
	if text := os.Getenv("DOCKET_MIXED"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	m := startMixed(t)
	over := make(chan struct{})
	var load sync.WaitGroup
	end := sync.OnceFunc(func() { close(over); load.Wait() })
	defer end()
	for n := range 6 {
		load.Go(func() { m.repeat(over, func() { m.moderate(n) }) })
	}
	for n := range m.members {
		load.Go(func() { m.repeat(over, func() { m.participate(n) }) })
	}
	load.Go(func() { m.repeat(over, m.visit) })
	load.Go(func() { m.repeat(over, m.administer) })
	load.Go(func() { m.repeat(over, m.operate) })
	for n, interrupt := range []func(){func() { m.servers.server(0).kill(); m.start(0) }, m.restartPostgres, func() { m.servers.server(1).kill(); m.start(1) }, nil} {
		<-time.After(length / 4)
		t.Logf("interruption %d", n)
		if interrupt != nil {
			interrupt()
		}
	}
	expected := []string{"file forum 201", "file gallery 201", "file shop 201", "claim 200", "assign 200", "unassign 200", "resolve 200", "reopen 200",
		"action 200", "note 201", "rebuild 202", "policy 201", "staff 200", "erase --report exit 0", "erase --older-than exit 0", "erase --user exit 0"}
	if length >= time.Minute {
		expected = append(expected, "next 200", "decide 200", "edit 200", "delete 200", "presence 204", "appeal 201", "appeals 200", "mute 200", "unmute 200", "retire 200", "verify 202",
			"forgot 202", "delete user 204", "hold 202", "approve 200", "reject 200", "escalate 200", "return 200", "end measure 200")
		pool := connectTo(t, m.environment["DATABASE_URL"])
		pgtest.Eventually(t, func() bool {
			return one[bool](t, pool, `SELECT EXISTS (SELECT FROM gallery_thumbnails) AND EXISTS (SELECT FROM gallery_runs)
				AND EXISTS (SELECT FROM core_moderation_measures WHERE ended_by = 'expiry') AND EXISTS (SELECT FROM core_moderation_report_events WHERE type = 'rule_matched')`)
		}, "each task and job has its turn")
	}
	pgtest.Eventually(t, func() bool { return m.met(expected) }, "each has its turn, however slow the machine is")
	end()
	m.quick.Store(true)
	t.Logf("%d reports, answers: %v", len(m.versions), m.answers)
	require.Zero(t, m.answers["500"], "%v", m.faults)

	m.requireAcknowledged()
	m.requireOfOneServer()
	m.requireMeasures()
	m.requireRules()
	m.requireOrderAtTheBroker()
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		got := docket(t, m.environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}

// met reports whether there was an answer of each kind.
func (m *mixed) met(kinds []string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !slices.ContainsFunc(kinds, func(kind string) bool { return m.answers[kind] == 0 })
}

// brokerDelay is how long the broker takes for each answer, until the load ends.
func (m *mixed) brokerDelay() time.Duration {
	if m.quick.Load() {
		return 0
	}
	return 500 * time.Millisecond
}

// mixed is a cluster of its own, two servers on it, and what clients met.
type mixed struct {
	t           *testing.T
	dir         string
	environment map[string]string
	servers     *pair
	start       func(n int)
	broker      *natsserver.Server
	shop        *shop
	quick       atomic.Bool // the broker is no longer slow
	moderators  []*nethttp.Client
	members     []*nethttp.Client
	member      func(subject string) *nethttp.Client // who signs in elsewhere
	host        *nethttp.Client                      // the shop's server

	mu       sync.Mutex
	answers  map[string]int    // how often which command was answered with which status
	faults   []string          // bodies of 500
	versions map[string]int    // by report, the latest that was acknowledged
	notes    map[string]string // acknowledged notes, with their reports
}

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

func startNATS(t *testing.T) *natsserver.Server {
	t.Helper()
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(time.Minute))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func startMixed(t *testing.T) *mixed {
	t.Helper()
	dir, database := newCluster(t)
	m := &mixed{t: t, dir: dir, servers: &pair{}, answers: map[string]int{}, versions: map[string]int{}, notes: map[string]string{}}
	m.broker = startNATS(t)

	m.shop = newShop(t)
	identity, member := newIdentity(t)
	m.member = member
	m.environment = with(identity, "DATABASE_URL", database, "DOCKET_DATA_DIR", t.TempDir(), "CRON_ADAPTER", "inprocess")
	// One knows the shop, sends mail and forwards to the broker; the other has a plugin in Go.
	first := with(m.environment, "SHOP_SECRET", shopSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true", "DOCKET_DEADLINES", "spam=2s", "DOCKET_APPEAL_DAYS", "30",
		"SMTP_URL", platformtest.NewMailServer(t).URL+"?from=docket@example.test", "DOCKET_BROKER_URL", "nats://"+platformtest.SlowProxy(t, strings.TrimPrefix(m.broker.ClientURL(), "nats://"), m.brokerDelay))
	second := with(m.environment, "PLUGINS", "gallery", "DOCKET_DEADLINES", "abusive=3s,spam=48h", "DOCKET_APPEAL_DAYS", "14")
	manifest := shopManifest(t, m.shop.server.URL)
	m.start = func(n int) {
		if n == 0 {
			m.servers.replace(0, startProcess(t, first, "demo", "--plugin", manifest))
		} else {
			m.servers.replace(1, startOutside(t, second))
		}
	}
	m.start(0)
	m.start(1)
	p := m.servers.server(0)
	m.moderators = []*nethttp.Client{p.signIn("admin@demo.test"), p.signIn("moderator@demo.test"), p.signIn("scoped@demo.test")}
	for n := range 7 { // the others' accounts are deleted
		m.members = append(m.members, p.signIn(fmt.Sprintf("member%d@demo.test", n+1)))
	}
	made := docket(t, m.environment, "token", "create", "--use", "host", "--plugin", "shop", "--name", "shop server")
	require.Zero(t, made.status, made.stderr)
	m.host = &nethttp.Client{Timeout: 30 * time.Second, Transport: bearer(strings.TrimSpace(made.stdout))}
	post := func(path string, body map[string]any) { p.must(m.moderators[0], nethttp.MethodPost, path, body) }
	post("/admin/webhooks", map[string]any{"url": newDeliveries(t).URL, "events": []string{"*"}})
	post("/admin/policies", map[string]any{"key": "two-keys", "title": "Two keys", "text": "Be kind.", "secondKey": true})
	post("/admin/rules", map[string]any{"key": "acts", "title": "Acts", "when": `reason == "spam"`, "then": map[string]any{"points": 5, "tags": []string{"seen"}}})
	post("/admin/rules/acts/mode", map[string]any{"mode": "live"})
	return m
}

func (m *mixed) repeat(over <-chan struct{}, do func()) {
	for {
		select {
		case <-over:
			return
		case <-time.After(rand.N(100 * time.Millisecond)):
			do()
		}
	}
}

// send posts to one of the servers and notes the answer as one of a kind of commands. There
// is none while the server is away.
func (m *mixed) send(kind string, client *nethttp.Client, method, path string, body any) map[string]any {
	status, answer, _ := m.servers.server(rand.N(2)).send(client, method, path, body)
	m.mu.Lock()
	defer m.mu.Unlock()
	if status == 0 {
		m.answers["none"]++
		return nil
	}
	m.answers[fmt.Sprint(kind, " ", status)]++
	if status == nethttp.StatusInternalServerError {
		m.answers["500"]++
		m.faults = append(m.faults, fmt.Sprint(method, " ", path, " ", body, ": ", answer))
	}
	if status >= 300 {
		return nil
	}
	id, isReport := answer["id"].(string)
	if of, is := answer["reportId"].(string); is { // it is an appeal's
		id = of
	}
	version, isVersioned := answer["version"].(float64)
	if isReport && isVersioned && method == nethttp.MethodPost {
		m.versions[id] = max(m.versions[id], int(version))
	}
	if note, is := answer["note"].(map[string]any); is {
		m.notes[note["id"].(string)] = path
	}
	return answer
}

func pick[T any](all []T) T { return all[rand.N(len(all))] }

// edges reads a list.
func (m *mixed) edges(client *nethttp.Client, path string) (all []map[string]any) {
	edges, _ := m.send("list", client, nethttp.MethodGet, path, nil)["edges"].([]any)
	for _, e := range edges {
		all = append(all, e.(map[string]any))
	}
	return all
}

// requireAcknowledged holds what clients were told to what is there.
func (m *mixed) requireAcknowledged() {
	pool := connectTo(m.t, m.environment["DATABASE_URL"])
	require.NotEmpty(m.t, m.versions)
	for id, version := range m.versions {
		require.GreaterOrEqual(m.t, one[int](m.t, pool, `SELECT coalesce(max(version), 0) FROM core_moderation_report_events WHERE report_id = $1`, id), version, "report %s", id)
	}
	for note, path := range m.notes {
		require.True(m.t, one[bool](m.t, pool, `SELECT EXISTS (SELECT FROM core_moderation_report_notes WHERE id = $1)`, note), "%s: note %s", path, note)
	}
}

// requireMeasures waits until the shop has answered each request about a measure, also those of the
// server that does not know the shop, whose tasks wait behind those of mail. Then the log, the shop and
// the forum agree about what stands.
func (m *mixed) requireMeasures() {
	pool := connectTo(m.t, m.environment["DATABASE_URL"])
	pgtest.Eventually(m.t, func() bool {
		pgtest.Exec(m.t, pool, "UPDATE core_queue SET available_at = now() WHERE name = 'remote.action' AND status = 'pending' AND available_at > now()")
		return one[bool](m.t, pool, `SELECT NOT EXISTS (SELECT FROM core_moderation_measures WHERE delivery = 'pending')`)
	}, "the shop has answered")
	standing, ended := []string{}, []string{}
	m.shop.mu.Lock()
	for id, measure := range m.shop.measures {
		if measure.ended {
			ended = append(ended, id)
		} else {
			standing = append(standing, id)
		}
	}
	m.shop.mu.Unlock()
	m.t.Logf("%d measures stand at the shop, %d have ended", len(standing), len(ended))
	require.Empty(m.t, one[[]string](m.t, pool, `SELECT coalesce(array_agg(id::text || ' ' || delivery), '{}') FROM core_moderation_measures
		WHERE plugin_id = 'shop' AND id::text <> ALL (CASE WHEN ended_at IS NULL THEN $1::text[] ELSE $2 END)`, standing, ended))
	require.Empty(m.t, one[[]string](m.t, pool, `SELECT coalesce(array_agg(user_id::text), '{}') FROM forum_members f
		WHERE (restricted_until IS NOT NULL) <> EXISTS (SELECT FROM core_moderation_measures m WHERE m.plugin_id = 'forum' AND m.author = f.user_id::text AND m.kind = 'restrict' AND m.ended_at IS NULL)`))
}

// requireRules waits until each report that the rule matches has its event. None has two.
func (m *mixed) requireRules() {
	pool := connectTo(m.t, m.environment["DATABASE_URL"])
	pgtest.Eventually(m.t, func() bool {
		return one[bool](m.t, pool, `SELECT NOT EXISTS (SELECT FROM core_moderation_reports r WHERE reason = 'spam' AND NOT erased AND created_at > (SELECT max(mode_at) FROM core_rules)
			AND NOT EXISTS (SELECT FROM core_moderation_report_events e WHERE e.report_id = r.id AND e.type = 'rule_matched'))`)
	}, "what the rule matched stands")
	require.Zero(m.t, one[int](m.t, pool, `SELECT count(*) - count(DISTINCT report_id) FROM core_moderation_report_events WHERE type = 'rule_matched'`))
}

// requireOrderAtTheBroker waits until every event is at the broker, and reads them there.
func (m *mixed) requireOrderAtTheBroker() {
	pool := connectTo(m.t, m.environment["DATABASE_URL"])
	conn, err := nats.Connect(m.broker.ClientURL())
	require.NoError(m.t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(m.t, err)
	stream, err := js.Stream(m.t.Context(), broker.Stream)
	require.NoError(m.t, err)
	var waiting string
	pgtest.Eventually(m.t, func() bool {
		waiting = one[string](m.t, pool, `SELECT coalesce(max(consumer_group), '') FROM watermill_offsets_docket_events o WHERE EXISTS (
			SELECT FROM watermill_docket_events e WHERE e.transaction_id > o.last_processed_transaction_id) AND consumer_group LIKE '%broker%'`)
		return waiting == ""
	}, "the broker has every event")
	info, err := stream.Info(m.t.Context())
	require.NoError(m.t, err)
	require.NotZero(m.t, info.State.Msgs)
	seen, last := map[string]bool{}, map[string]int{}
	for n := info.State.FirstSeq; n <= info.State.LastSeq; n++ {
		message, err := stream.GetMsg(m.t.Context(), n)
		require.NoError(m.t, err)
		id := message.Header.Get(nats.MsgIdHdr)
		if seen[id] {
			continue
		}
		seen[id] = true
		var report string
		var sequence int
		if pool.QueryRow(m.t.Context(), `SELECT report_id::text, sequence FROM core_moderation_report_events WHERE event_id::text = $1`, id).Scan(&report, &sequence) != nil {
			continue // of content that was hidden
		}
		require.Greater(m.t, sequence, last[report], "report %s at %d", report, n)
		last[report] = sequence
	}
	m.t.Logf("%d messages at the broker", info.State.Msgs)
}

// requireOfOneServer waits until what only one of the servers can do is done: its listener heard
// of each decision once, each task was done, and none has failed.
func (m *mixed) requireOfOneServer() {
	pool := connectTo(m.t, m.environment["DATABASE_URL"])
	pgtest.Eventually(m.t, func() bool {
		return one[bool](m.t, pool, `SELECT NOT EXISTS (SELECT FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.resolved'
			AND uuid NOT IN (SELECT event_id::text FROM gallery_heard))`) &&
			one[bool](m.t, pool, `SELECT NOT EXISTS (SELECT FROM core_queue WHERE (plugin_id, name) IN (('gallery', 'thumbnail'), ('core', 'mail')) AND status <> 'completed')`)
	}, "each decision is heard of, and each task is done")
	require.Zero(m.t, one[int](m.t, pool, `SELECT count(*) - count(DISTINCT event_id) FROM gallery_heard`), "events that were heard of twice")
	require.Zero(m.t, one[int](m.t, pool, `SELECT count(*) FROM core_queue WHERE plugin_id = 'gallery' AND id NOT IN (SELECT task_id FROM gallery_thumbnails)`))
}
