package http_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
)

// outage is the API on a database whose connections go through a proxy.
type outage struct {
	*bundle
	proxy     *databaseProxy
	direct    *pgxpool.Pool // past the proxy
	moderator *client
	posts     int
}

func newOutage(t *testing.T) *outage {
	t.Helper()
	direct := pgtest.New(t)
	proxy := newDatabaseProxy(t, direct.Config().ConnString())
	o := &outage{bundle: newBundleWith(t, map[string]string{"DATABASE_URL": proxy.URL() + "&pool_max_conns=8"}), proxy: proxy, direct: direct}
	o.moderator = o.bundle.moderator("Mod", nil, everyPermission...)
	return o
}

// warm opens every connection of the pool, and one of the pool of plugins. It takes longer
// than the 100 ms after which the server resets its pools again.
func (o *outage) warm() {
	o.t.Helper()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { _, _ = o.pool.Exec(o.t.Context(), `SELECT pg_sleep(0.15)`) })
	}
	wg.Wait()
	require.EqualValues(o.t, 8, o.pool.Stat().TotalConns())
	o.guest().get("/api/forum/posts").status(nethttp.StatusOK)
}

// report files a report of a post that nobody has reported, past any outage to come.
func (o *outage) report() string {
	o.t.Helper()
	o.posts++
	return o.file(o.posts/20%8, fmt.Sprint(1+o.posts%20))
}

// kind is a kind of request. prepare is called while the database is there and returns
// the request.
type kind struct {
	prepare func(o *outage) func() *answer
	writes  bool
}

func reads(path string) kind {
	return kind{prepare: func(o *outage) func() *answer {
		return func() *answer { return o.moderator.get(path) }
	}}
}

func moderates(path string, body func(version any) map[string]any) kind {
	return kind{writes: true, prepare: func(o *outage) func() *answer {
		id := o.report()
		version := o.moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["version"]
		return func() *answer { return o.moderator.post("/moderation/reports/"+id+path, body(version)) }
	}}
}

var kinds = map[string]kind{
	"session":        reads("/users/session"),
	"board":          reads("/moderation/reports"),
	"public content": reads("/api/forum/posts"),
	"detail": {prepare: func(o *outage) func() *answer {
		id := o.report()
		return func() *answer { return o.moderator.get("/moderation/reports/" + id) }
	}},
	"file": {writes: true, prepare: func(o *outage) func() *answer {
		o.posts++
		body := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(1 + o.posts%20), "reason": "spam"}
		member := o.bundle.member(o.posts / 20 % 8)
		return func() *answer { return member.post("/moderation/reports", body) }
	}},
	"claim": moderates("/claim", func(v any) map[string]any { return map[string]any{"expectedVersion": v} }),
	"hide":  moderates("/actions/hide", func(v any) map[string]any { return map[string]any{"expectedVersion": v} }),
	"saved view": {writes: true, prepare: func(o *outage) func() *answer {
		return func() *answer {
			return o.moderator.do(nethttp.MethodPut, "/moderation/views/mine", "application/json", []byte(`{"query":"status=new"}`))
		}
	}},
}

// Given a database that is away for a while, in each way, then no request is told what is not so.
func TestADatabaseThatIsLost(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	t.Run("connections are cut while they are idle", o.cut)
	t.Run("no connection can be made", o.away)
	t.Run("the answer to a commit is lost", o.unanswered)
	t.Run("and nobody can confirm it", o.unconfirmed)
}

// cut is what a failover does: no request of any kind fails.
func (o *outage) cut(t *testing.T) {
	for name, k := range kinds {
		request := k.prepare(o)
		o.warm()
		o.proxy.cut()
		a := request()
		require.Less(t, a.code, 300, "%s: %d %s", name, a.code, a.raw)
	}
}

// away tells every request to come back, and truthfully that nothing was changed; and then it succeeds.
func (o *outage) away(t *testing.T) {
	for name, k := range kinds {
		request := k.prepare(o)
		for _, what := range []string{closed, "57P03"} { // it is starting up
			o.proxy.refuse(what)
			a := request()
			require.Equal(t, nethttp.StatusServiceUnavailable, a.code, "%s, %s: %s", name, what, a.raw)
			require.NotEmpty(t, a.header.Get("Retry-After"), "%s, %s", name, what)
			require.Contains(t, a.body["message"], "Nothing was changed", "%s, %s", name, what)
			o.proxy.restore()
		}
		require.Less(t, request().code, 300, name)
		o.pool.Reset() // what is prepared next is no request, which would be repeated
	}
}

// unanswered requests find out that they were committed, or say that they may have been.
func (o *outage) unanswered(t *testing.T) {
	for name, k := range kinds {
		if !k.writes {
			continue
		}
		request := k.prepare(o)
		events := func() int { return pgtest.One[int](t, o.direct, `SELECT count(*) FROM core_moderation_report_events`) }
		before := events()
		o.proxy.lose("INSERT 0 1", "") // which every change does
		a := request()
		require.True(t, o.proxy.lost(), name)
		if a.code == nethttp.StatusServiceUnavailable {
			require.Contains(t, a.body["message"], "may have been saved", name)
			require.Equal(t, "saved view", name, "the log knows its commands")
			continue
		}
		require.Less(t, a.code, 300, "%s: %d %s", name, a.code, a.raw)
		require.Equal(t, before+1, events(), "%s is recorded once", name)
	}
}

func (o *outage) unconfirmed(t *testing.T) {
	request := kinds["claim"].prepare(o)
	o.proxy.lose("INSERT 0 1", closed)
	a := request()
	require.Equal(t, nethttp.StatusServiceUnavailable, a.code)
	require.Contains(t, a.body["message"], "may have been saved")
	o.proxy.restore()
}

// A response that has begun is cut off: a second one after its beginning would look complete.
func TestAResponseThatHasBegunIsNotRepeated(t *testing.T) {
	t.Parallel()
	guest := authenticator(func(context.Context) (*permission.Caller, error) { return nil, nil })
	var calls atomic.Int32
	server := httptest.NewServer(http.New(http.Config{Log: zerolog.Nop(), Authenticator: guest, Reconnect: func() {}}, &http.PluginRoutes{PluginID: "acme", Routes: []http.Route{
		{Method: nethttp.MethodGet, Path: "list", Access: http.Guests, Serve: func(w nethttp.ResponseWriter, _ *nethttp.Request) error {
			_, _ = io.WriteString(w, "[1,")
			if calls.Add(1) == 1 {
				return fmt.Errorf("read the rest: %w", pgconn.ErrConnClosed)
			}
			_, err := io.WriteString(w, "2]")
			return err
		}},
	}}))
	t.Cleanup(server.Close)

	answer, err := server.Client().Get(server.URL + "/api/acme/list")

	if err == nil {
		_, err = io.ReadAll(answer.Body)
		_ = answer.Body.Close()
	}
	require.Error(t, err)
	require.EqualValues(t, 1, calls.Load())
}

// databaseProxy stands between a test and a database. The test can cut its connections.
type databaseProxy struct {
	listener net.Listener
	server   *pgx.ConnConfig

	mu      sync.Mutex
	open    map[net.Conn]bool
	away    string // how new connections are refused: closed, or with this SQLSTATE; "" accepts them
	swallow string // the command tag whose answer is lost
	after   string // what away is then
}

const closed = "closed"

// newDatabaseProxy starts a proxy to the database of a connection string.
func newDatabaseProxy(t *testing.T, database string) *databaseProxy {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	require.NoError(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &databaseProxy{listener: listener, server: config, open: make(map[net.Conn]bool)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.cut()
		serving.Wait()
	})
	return p
}

// URL is the connection string through the proxy.
func (p *databaseProxy) URL() string {
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", url.UserPassword(p.server.User, p.server.Password), p.listener.Addr(), p.server.Database)
}

// cut ends every connection that is open.
func (p *databaseProxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

// refuse cuts all connections, and refuses new ones so.
func (p *databaseProxy) refuse(how string) {
	p.mu.Lock()
	p.away = how
	p.mu.Unlock()
	p.cut()
}

// lose closes the next connection on which the server answers with this command tag, such as COMMIT, instead of
// passing the answer on, and refuses new ones so from then on. The command has then been executed.
func (p *databaseProxy) lose(tag, after string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.swallow, p.after = tag, after
}

func (p *databaseProxy) restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away, p.swallow = "", ""
}

func (p *databaseProxy) serve(client net.Conn) {
	p.mu.Lock()
	p.open[client] = true
	away := p.away
	p.mu.Unlock()
	defer func() {
		_ = client.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, client)
	}()
	if away == closed {
		return
	}
	if away != "" {
		_, _ = client.Read(make([]byte, 4096)) // the startup message
		fields := "SFATAL\x00VFATAL\x00C" + away + "\x00Mrefused by the test\x00\x00"
		size := len(fields) + 4
		_, _ = client.Write(append([]byte{'E', byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)}, fields...))
		return
	}
	network, address := pgconn.NetworkAddress(p.server.Host, p.server.Port)
	server, err := new(net.Dialer).DialContext(context.Background(), network, address)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() { // ends with client or server
		defer func() { _ = server.Close() }()
		_, _ = io.Copy(server, client)
	}()
	buffer, lost := make([]byte, 1<<20), false
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		lost = lost || p.loses(buffer[:n])
		if lost && bytes.HasSuffix(buffer[:n], []byte("Z\x00\x00\x00\x05I")) {
			return // the server is ready for more, so the transaction has ended
		}
		if !lost {
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
}

// loses reports whether an answer holds the command tag that is to be lost.
func (p *databaseProxy) loses(answer []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.swallow == "" || !bytes.Contains(answer, []byte(p.swallow+"\x00")) {
		return false
	}
	p.swallow, p.away = "", p.after
	return true
}

// lost reports whether an answer was lost since lose.
func (p *databaseProxy) lost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.swallow == ""
}

// Given a pool of one connection, no command waits for a second one while it holds the first.
func TestEveryCommandTakesOneConnection(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	b := newBundleWith(t, map[string]string{"DATABASE_URL": url + map[bool]string{true: "&", false: "?"}[strings.Contains(url, "?")] + "pool_max_conns=1"})
	require.EqualValues(t, 1, b.pool.Config().MaxConns)
	mod, lead := b.moderator("Mod", nil, everyPermission...), b.moderator("Lead", nil, everyPermission...)
	rule, keyed := b.publish("spam"), b.keyed("grave")
	report, other := b.file(b.reporterOf("1"), "1"), b.file(b.reporterOf("2"), "2")
	path, author := "/moderation/reports/"+report, b.postAuthor("1")
	version := func(id string) int {
		return int(mod.get("/moderation/reports/" + id).status(200).body["version"].(float64))
	}
	command := func(c *client, of, path string, more ...any) *answer {
		t.Helper()
		body := map[string]any{"expectedVersion": version(of)}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		a := c.post(path, body)
		require.Less(t, a.code, 300, "%s: %s", path, a.raw)
		return a
	}
	command(mod, report, path+"/claim")
	command(mod, report, path+"/assign", "assigneeId", lead.id())
	command(mod, report, path+"/escalate", "to", "leads", "note", "Please look at it.")
	command(lead, report, path+"/return")
	command(mod, report, path+"/unassign")
	note := mod.post(path+"/notes", map[string]any{"body": "A note."}).status(201).body["note"].(map[string]any)["id"].(string)
	mod.post(path+"/notes/"+note+"/pin", map[string]any{"until": until(7)}).status(200)
	command(mod, report, path+"/actions/hide")
	imposed := []any{map[string]any{"authorId": author, "kind": "suspend", "until": until(7)}}
	command(mod, report, path+"/resolve", "resolution", "action_taken", "policy", rule, "measures", imposed)
	appeal := b.session(author).post("/users/decisions/"+report+"/appeal", map[string]any{"text": "Look again."}).status(201).body["id"].(string)
	command(lead, report, "/moderation/appeals/"+appeal+"/overturn", "reply", "You are right.")
	command(mod, report, path+"/reopen", "reason", "It is back.")
	held := command(mod, report, path+"/resolve", "resolution", "action_taken", "policy", keyed, "measures", imposed).status(202).body["held"].(map[string]any)["id"].(string)
	command(lead, report, "/moderation/held/"+held+"/approve")
	mod.post("/moderation/cases/decide", ofCase("2", map[string]any{"reports": []any{map[string]any{"id": other, "expectedVersion": version(other)}},
		"resolve": map[string]any{"resolution": "action_taken", "policy": rule}, "action": "hide"})).status(200)
}
