package cmd

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/local"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/subscribers/broker"
)

// TestEverythingAtOnce lets members and moderators do all that they can, for DOCKET_MIXED or
// ten seconds, on two servers of different plugins and settings, while operators erase words,
// delete accounts, rebuild projections and edit staff, content moves, the broker is slow, each
// server is killed once and PostgreSQL restarts. Nothing that was acknowledged is lost, no
// answer is 500, each report's events reach the broker in order, and both verifications are
// clean.
func TestEverythingAtOnce(t *testing.T) {
	t.Parallel()
	length := 10 * time.Second
	if text := os.Getenv("DOCKET_MIXED"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	m := startMixed(t)
	over := make(chan struct{})
	var load sync.WaitGroup
	for n := range 6 {
		load.Go(func() { m.repeat(over, func() { m.moderate(n) }) })
	}
	for n := range m.members {
		load.Go(func() { m.repeat(over, func() { m.participate(n) }) })
	}
	load.Go(func() { m.repeat(over, m.administer) })
	load.Go(func() { m.repeat(over, m.operate) })
	for n, interrupt := range []func(){func() { m.servers.server(0).kill(); m.start(0) }, m.restartPostgres, func() { m.servers.server(1).kill(); m.start(1) }, nil} {
		<-time.After(length / 4)
		t.Logf("interruption %d", n)
		if interrupt != nil {
			interrupt()
		}
	}
	close(over)
	load.Wait()
	m.quick.Store(true)
	t.Logf("%d reports, answers: %v", len(m.versions), m.answers)
	require.Zero(t, m.answers["500"], "%v", m.faults)
	for _, kind := range []string{"file 201", "claim 200", "resolve 200", "rebuild 202"} {
		require.NotZero(t, m.answers[kind], kind)
	}

	m.requireAcknowledged()
	m.requireOrderAtTheBroker()
	for _, args := range [][]string{{"projections", "verify"}, {"audit", "verify"}} {
		got := docket(t, m.environment, args...)
		require.Equal(t, 0, got.status, got.stdout+got.stderr)
	}
}

// mixed is a cluster of its own, two servers on it, and what clients met.
type mixed struct {
	t           *testing.T
	dir         string
	environment map[string]string
	servers     *pair
	start       func(n int)
	broker      *natsserver.Server
	quick       atomic.Bool // the broker is no longer slow
	moderators  []*nethttp.Client
	members     []*nethttp.Client

	mu       sync.Mutex
	answers  map[string]int    // how often which command was answered with which status
	faults   []string          // bodies of 500
	versions map[string]int    // by report, the latest that was acknowledged
	notes    map[string]string // acknowledged notes, with their reports
}

func startMixed(t *testing.T) *mixed {
	t.Helper()
	m := &mixed{t: t, dir: reachableDir(t), servers: &pair{}, answers: map[string]int{}, versions: map[string]int{}, notes: map[string]string{}}
	cluster, err := local.Start(t.Context(), m.dir, zerolog.Nop())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Stop()) })
	m.broker, err = natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	require.NoError(t, err)
	go m.broker.Start()
	require.True(t, m.broker.ReadyForConnections(time.Minute))
	t.Cleanup(func() { m.broker.Shutdown(); m.broker.WaitForShutdown() })

	shop := newShop(t)
	m.environment = map[string]string{"DATABASE_URL": cluster.URL(), "DOCKET_DATA_DIR": t.TempDir(), "CRON_ADAPTER": "inprocess"}
	first := with(m.environment, "SHOP_SECRET", shopSecret, "DOCKET_WEBHOOK_ALLOW_PRIVATE", "true", "DOCKET_DEADLINES", "spam=2s",
		"SMTP_URL", platformtest.NewMailServer(t).URL+"?from=docket@example.test", "DOCKET_BROKER_URL", "nats://"+m.slowProxy(strings.TrimPrefix(m.broker.ClientURL(), "nats://"), 500*time.Millisecond))
	manifest := shopManifest(t, shop.server.URL)
	m.start = func(n int) {
		if n == 0 {
			m.servers.replace(0, startProcess(t, first, "demo", "--plugin", manifest))
		} else {
			m.servers.replace(1, startProcess(t, m.environment, "demo"))
		}
	}
	m.start(0)
	m.start(1)
	p := m.servers.server(0)
	m.moderators = []*nethttp.Client{p.signIn("admin@demo.test"), p.signIn("moderator@demo.test"), p.signIn("scoped@demo.test")}
	for n := range 7 { // the others' accounts are deleted
		m.members = append(m.members, p.signIn(fmt.Sprintf("member%d@demo.test", n+1)))
	}
	p.must(m.moderators[0], nethttp.MethodPost, "/admin/webhooks", map[string]any{"url": newDeliveries(t).URL, "events": []string{"*"}})
	return m
}

// slowProxy forwards connections to an address, and holds each of its answers for a while
// until the load ends.
func (m *mixed) slowProxy(to string, wait time.Duration) (address string) {
	t := m.t
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
			go func() {
				defer func() { _ = client.Close() }()
				answer := make([]byte, 64<<10)
				for {
					n, err := server.Read(answer)
					if err != nil {
						return
					}
					if !m.quick.Load() {
						<-time.After(wait)
					}
					if _, err := client.Write(answer[:n]); err != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// restartPostgres ends the cluster's server, which this process starts again.
func (m *mixed) restartPostgres() {
	content, err := os.ReadFile(filepath.Join(m.dir, "postgres", "postmaster.pid"))
	require.NoError(m.t, err)
	killed := time.Now()
	first, _, _ := bytes.Cut(content, []byte("\n"))
	pid, err := strconv.Atoi(string(first))
	require.NoError(m.t, err)
	require.NoError(m.t, syscall.Kill(pid, syscall.SIGINT))
	pgtest.Eventually(m.t, func() bool {
		restarted := false
		m.withPool(func(pool *pgxpool.Pool) {
			restarted = pool.QueryRow(m.t.Context(), `SELECT pg_postmaster_start_time() > $1`, killed).Scan(&restarted) == nil && restarted
		})
		return restarted
	}, "PostgreSQL answers again")
}

func (m *mixed) repeat(over <-chan struct{}, do func()) {
	for {
		select {
		case <-over:
			return
		case <-time.After(rand.N(2 * thinkTime)):
			do()
		}
	}
}

// send posts to one of the servers and notes the answer as one of a kind of commands. There
// is none while the server is away.
func (m *mixed) send(kind string, client *nethttp.Client, method, path string, body any) map[string]any {
	status, answer, err := m.servers.server(rand.N(2)).send(client, method, path, body)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil && status == 0 {
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

// participate lets a member file a report, or appeal a decision.
func (m *mixed) participate(n int) {
	client := m.members[n]
	target := map[string]string{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(rand.N(30) + 1), "reason": pick([]string{"spam", "abusive"})}
	if rand.N(5) == 0 {
		target["pluginId"], target["targetType"] = "shop", "shop.review" // which one server does not know
	}
	m.send("file", client, nethttp.MethodPost, "/moderation/reports", target)
	for _, decision := range m.edges(client, "/users/decisions?first=5") {
		m.send("appeal", client, nethttp.MethodPost, "/users/decisions/"+decision["id"].(string)+"/appeal", map[string]any{"text": "I do not agree."})
	}
}

// moderate does a random command to a random report.
func (m *mixed) moderate(n int) {
	client := m.moderators[n%len(m.moderators)]
	reports := m.edges(client, "/moderation/reports?first=20&status="+pick([]string{"new", "in_progress", "done"}))
	if len(reports) == 0 {
		return
	}
	r := pick(reports)
	path, post := "/moderation/reports/"+r["id"].(string), func(kind, path string, body map[string]any) map[string]any {
		return m.send(kind, client, nethttp.MethodPost, path, body)
	}
	at := func(more ...any) map[string]any {
		body := map[string]any{"expectedVersion": r["version"]}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		return body
	}
	switch rand.N(13) {
	case 0, 1:
		post("claim", path+"/claim", at())
	case 2:
		post("unassign", path+"/unassign", at())
	case 3, 4:
		post("resolve", path+"/resolve", at("resolution", pick([]string{"action_taken", "no_violation", "duplicate"}), "reasons", "Because."))
	case 5:
		post("reopen", path+"/reopen", at("reason", "On second thoughts."))
	case 6:
		post("action", path+"/actions/"+pick([]string{"hide", "unhide"}), at())
	case 7:
		answer := post("note", path+"/notes", map[string]any{"body": "a note"})
		if note, is := answer["note"].(map[string]any); is && rand.N(2) == 0 {
			post("edit", path+"/notes/"+note["id"].(string)+"/edit", map[string]any{"body": "edited"})
		}
	case 8:
		post("next", "/moderation/next", nil)
	case 9, 10:
		if target, is := r["target"].(map[string]any); is {
			post("decide", "/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": target["pluginId"], "type": target["type"], "id": target["id"]},
				"reports": []any{map[string]any{"id": r["id"], "expectedVersion": r["version"]}}, "resolve": map[string]any{"resolution": "action_taken"}})
		}
	case 11:
		if reporter, is := r["reporter"].(map[string]any); is {
			post("mute", fmt.Sprint("/moderation/reporters/", reporter["id"], "/mute"), map[string]any{"until": time.Now().Add(time.Hour), "reason": "Too many."})
			post("unmute", fmt.Sprint("/moderation/reporters/", reporter["id"], "/unmute"), nil)
		}
	case 12:
		for _, appeal := range m.edges(client, "/moderation/appeals?status=open&first=3") {
			post("appeals", fmt.Sprint("/moderation/appeals/", appeal["id"], "/", pick([]string{"uphold", "overturn"})),
				map[string]any{"reply": "We looked again.", "expectedVersion": appeal["version"]})
		}
	}
}

// administer edits staff, publishes policies and rebuilds projections.
func (m *mixed) administer() {
	admin := m.moderators[0]
	switch rand.N(3) {
	case 0:
		m.send("policy", admin, nethttp.MethodPost, "/admin/policies", map[string]any{"key": "no-shops", "title": "No shops", "text": time.Now().String()})
	case 1:
		m.send("rebuild", admin, nethttp.MethodPost, "/admin/advanced/projections/"+pick([]string{"daily", "cases", "counts", "reports", "targets"})+"/rebuild", nil)
	case 2:
		for _, entry := range m.edges(admin, "/admin/staff/moderators") {
			if user := entry["user"].(map[string]any); user["email"] == "viewer@demo.test" {
				m.send("staff", admin, nethttp.MethodPatch, fmt.Sprint("/admin/staff/entry/moderator/", entry["id"]),
					map[string]any{"permissions": pick([][]any{{}, {map[string]any{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": map[string]any{"family": "forum.category", "mode": "all"}}}})})
			}
		}
	}
}

// operate does what is done on the machine: erasing, deleting accounts, and moving content.
// While PostgreSQL is away it fails.
func (m *mixed) operate() {
	var args []string
	switch rand.N(5) {
	case 0:
		args = []string{"erase", "--older-than", "5s"}
	case 1:
		m.mu.Lock()
		for id := range m.versions {
			args = []string{"erase", "--report", id}
			break
		}
		m.mu.Unlock()
	case 2:
		args = []string{"user", "delete", pick([]string{"member8@demo.test", "member9@demo.test"})}
	case 3:
		m.withPool(func(pool *pgxpool.Pool) {
			_, _ = pool.Exec(m.t.Context(), `UPDATE forum_posts SET category_id = (SELECT id FROM forum_categories ORDER BY random() LIMIT 1) WHERE id % 7 = (random() * 7)::int`)
		})
	case 4:
		m.withPool(func(pool *pgxpool.Pool) {
			var id string
			if pool.QueryRow(m.t.Context(), `SELECT id::text FROM core_users WHERE email LIKE 'member%' ORDER BY random() LIMIT 1`).Scan(&id) == nil {
				args = []string{"erase", "--user", id, "--authored"}
			}
		})
	}
	if args == nil {
		return
	}
	got := docket(m.t, m.environment, args...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers[fmt.Sprint(args[0], " ", args[1], " exit ", got.status)]++
	if got.status != 0 {
		m.t.Logf("%v: %s", args, got.stderr)
	}
}

// withPool runs statements, which may fail while PostgreSQL restarts.
func (m *mixed) withPool(do func(*pgxpool.Pool)) {
	pool, err := postgres.Open(m.t.Context(), m.environment["DATABASE_URL"], postgres.Options{MaxConns: 1})
	if err != nil {
		return
	}
	defer pool.Close()
	do(pool)
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
