package http_test

import (
	"fmt"
	nethttp "net/http"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// outage is the API on a database whose connections go through a proxy.
type outage struct {
	*bundle
	proxy            *databaseProxy
	direct           *pgxpool.Pool // past the proxy
	moderator, admin *client
	member           *client
	posts            int
}

func newOutage(t *testing.T) *outage {
	t.Helper()
	direct := pgtest.New(t)
	proxy := newDatabaseProxy(t, direct.Config().ConnString())
	o := &outage{bundle: newBundleWith(t, map[string]string{"DATABASE_URL": proxy.URL() + "&pool_max_conns=8"}), proxy: proxy, direct: direct}
	o.moderator = o.bundle.moderator("Mod", nil, everyPermission...)
	root := o.user("Root")
	require.NoError(t, o.staff.Ensure(t.Context(), permission.Admin, root, permission.Entry{Unrestricted: true}))
	o.admin = o.session(root)
	o.member = o.bundle.member(8)
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

func reads(c func(*outage) *client, path string) kind {
	return kind{prepare: func(o *outage) func() *answer {
		return func() *answer { return c(o).get(path) }
	}}
}

func moderates(path string, body func(version any) map[string]any) kind {
	return kind{writes: true, prepare: func(o *outage) func() *answer {
		id := o.report()
		version := o.moderator.get("/moderation/reports/" + id).status(nethttp.StatusOK).body["version"]
		return func() *answer { return o.moderator.post("/moderation/reports/"+id+path, body(version)) }
	}}
}

var (
	asModerator = func(o *outage) *client { return o.moderator }
	asAdmin     = func(o *outage) *client { return o.admin }
	asMember    = func(o *outage) *client { return o.member }
	asGuest     = func(o *outage) *client { return o.guest() }
)

var kinds = map[string]kind{
	"session":        reads(asMember, "/users/session"),
	"permissions":    reads(asModerator, "/users/permissions"),
	"board":          reads(asModerator, "/moderation/reports"),
	"search":         reads(asModerator, "/moderation/reports?search=post"),
	"counts":         reads(asModerator, "/moderation/reports/counts"),
	"statistics":     reads(asModerator, "/moderation/stats"),
	"scopes":         reads(asModerator, "/moderation/scopes"),
	"staff":          reads(asAdmin, "/admin/staff/moderators"),
	"log":            reads(asAdmin, "/moderation/events"),
	"public content": reads(asGuest, "/api/forum/posts"),
	"detail": {prepare: func(o *outage) func() *answer {
		id := o.report()
		return func() *answer { return o.moderator.get("/moderation/reports/" + id) }
	}},
	"replay": {prepare: func(o *outage) func() *answer {
		id := o.report()
		return func() *answer { return o.moderator.get("/moderation/reports/" + id + "/replay") }
	}},
	"file": {writes: true, prepare: func(o *outage) func() *answer {
		o.posts++
		body := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(1 + o.posts%20), "reason": "spam"}
		member := o.bundle.member(o.posts / 20 % 8)
		return func() *answer { return member.post("/moderation/reports", body) }
	}},
	"claim": moderates("/claim", func(v any) map[string]any { return map[string]any{"expectedVersion": v} }),
	"note":  moderates("/notes", func(any) map[string]any { return map[string]any{"body": "Looked at it."} }),
	"resolve": moderates("/resolve", func(v any) map[string]any {
		return map[string]any{"expectedVersion": v, "resolution": "no_violation"}
	}),
	"hide": moderates("/actions/hide", func(v any) map[string]any { return map[string]any{"expectedVersion": v} }),
	"saved view": {writes: true, prepare: func(o *outage) func() *answer {
		return func() *answer {
			return o.moderator.do(nethttp.MethodPut, "/moderation/views/mine", "application/json", []byte(`{"query":"status=new"}`))
		}
	}},
}

// Given every connection of the pool cut while it is idle, as after a failover, then no
// request of any kind fails.
func TestNoRequestFailsOnConnectionsThatWereCut(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	for name, k := range kinds {
		request := k.prepare(o)
		o.warm()
		o.proxy.Cut()
		a := request()
		require.Less(t, a.code, 300, "%s: %d %s", name, a.code, a.raw)
	}
}

// Given a database that cannot be reached or that refuses connections, then every request
// is told to come back, and truthfully that nothing was changed; and then succeeds.
func TestARequestWithoutADatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	outages := map[string]func(){
		"closed":             o.proxy.Close,
		"no connections":     func() { o.proxy.Refuse("55000") },
		"starting up":        func() { o.proxy.Refuse("57P03") },
		"too many":           func() { o.proxy.Refuse("53300") },
		"no such database":   func() { o.proxy.Refuse("3D000") },
		"an unknown refusal": func() { o.proxy.Refuse("XX000") },
	}
	for name, k := range kinds {
		request := k.prepare(o)
		for what, begin := range outages {
			begin()
			a := request()
			require.Equal(t, nethttp.StatusServiceUnavailable, a.code, "%s, %s: %s", name, what, a.raw)
			require.NotEmpty(t, a.header.Get("Retry-After"), "%s, %s", name, what)
			require.Contains(t, a.body["message"], "Nothing was changed", "%s, %s", name, what)
			o.proxy.Restore()
		}
		require.Less(t, request().code, 300, name)
		o.pool.Reset() // what is prepared next is no request, which would be repeated
	}
}

// Given a commit whose answer is lost, then the request finds out that it was committed,
// or says that it may have been.
func TestALostAnswerToACommitIsNotToldAsAFailure(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	for name, k := range kinds {
		if !k.writes {
			continue
		}
		request := k.prepare(o)
		events := func() (n int) {
			require.NoError(t, o.direct.QueryRow(t.Context(), `SELECT count(*) FROM core_moderation_report_events`).Scan(&n))
			return n
		}
		before := events()
		o.proxy.Swallow("INSERT 0 1") // which every change does
		a := request()
		require.True(t, o.proxy.Swallowed(), name)
		if a.code == nethttp.StatusServiceUnavailable {
			require.Contains(t, a.body["message"], "may have been saved", name)
			require.Equal(t, "saved view", name, "the log knows its commands")
			continue
		}
		require.Less(t, a.code, 300, "%s: %d %s", name, a.code, a.raw)
		require.Equal(t, before+1, events(), "%s is recorded once", name)
	}
}

// Given a database that stays away after a commit, then the request says that the change
// may have been saved.
func TestACommitThatNobodyCanConfirmSaysSo(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	request := kinds["claim"].prepare(o)
	o.proxy.SwallowAndClose("INSERT 0 1")
	a := request()
	require.Equal(t, nethttp.StatusServiceUnavailable, a.code)
	require.Contains(t, a.body["message"], "may have been saved")
}
