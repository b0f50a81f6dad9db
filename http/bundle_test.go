package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/projections"
)

// bundle is Docket as it is served, with the forum, on a database of the test's own.
type bundle struct {
	t        testing.TB
	pool     *pgxpool.Pool
	docket   *cmd.Server
	api      nethttp.Handler
	server   *httptest.Server
	accounts *account.Store
	staff    *staff.Store
	members  []string
	errors   *logged
}

// logged is what the server logs of errors.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// newBundle serves the API and checks each request and answer that passes
// through it against the OpenAPI document. Other plugins come beside the forum. Nothing
// happens in the background unless the test runs it.
func newBundle(t testing.TB, others ...cmd.Source) *bundle {
	t.Helper()
	return newBundleWith(t, nil, others...)
}

// newBundleWith is newBundle with more variables of the environment.
func newBundleWith(t testing.TB, variables map[string]string, others ...cmd.Source) *bundle {
	t.Helper()
	ctx := context.Background()
	environment := map[string]string{"DOCKET_BASE_URL": "http://docket.test", "DOCKET_DATA_DIR": t.TempDir(), "CRON_SECRET": cronSecret, "LOG_LEVEL": "error"}
	maps.Copy(environment, variables)
	kept, err := theForum()
	require.NoError(t, err)
	b := &bundle{t: t, errors: &logged{}}
	if environment["DATABASE_URL"] == "" {
		environment["DATABASE_URL"], b.members = pgtest.Clone(t, kept.database), slices.Clone(kept.members)
	}
	docket, err := cmd.NewServer(ctx, environment, b.errors, append([]cmd.Source{source(forum.Plugin)}, others...)...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, docket.Close()) })
	b.pool, b.docket, b.api, b.accounts, b.staff = docket.Pool(), docket, docket.Handler(), docket.Accounts(), docket.Staff()
	if b.members == nil {
		b.members, err = seedForum(ctx, docket)
		require.NoError(t, err)
	}
	b.server = httptest.NewUnstartedServer(nil)
	b.server.Config = http.NewServer(b.api)
	b.server.Start()
	t.Cleanup(b.server.Close)
	return b
}

// keptForum is a database with what a server and seedForum write. Each bundle is given a copy.
type keptForum struct {
	database string
	members  []string
}

// dropForum drops it, if it was made.
var dropForum = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	dropForum()
	os.Exit(code)
}

var theForum = sync.OnceValues(func() (kept keptForum, err error) {
	kept.database, dropForum, err = pgtest.Keep(func(url string) error {
		folder, err := os.MkdirTemp("", "docket-test-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(folder) }()
		docket, err := cmd.NewServer(context.Background(), map[string]string{"DATABASE_URL": url, "DOCKET_DATA_DIR": folder}, io.Discard, source(forum.Plugin))
		if err != nil {
			return err
		}
		kept.members, err = seedForum(context.Background(), docket)
		return errors.Join(err, docket.Close())
	})
	return kept, err
})

// seedForum makes nine members and the forum that they have written.
func seedForum(ctx context.Context, docket *cmd.Server) (members []string, err error) {
	for i := range 9 {
		u, err := docket.Accounts().CreateUser(ctx, account.NewUser{Email: fmt.Sprintf("member.%d@example.test", i), Name: fmt.Sprintf("Member %d", i)})
		if err != nil {
			return nil, err
		}
		members = append(members, u.ID)
	}
	return members, forum.Seed(ctx, docket.Pool(), members, time.Now())
}

// source makes the source of a plugin that has no routes.
func source(make func(*pgxpool.Pool) *plugin.Plugin) cmd.Source {
	return func(_ context.Context, host cmd.Host) (*cmd.Plugin, error) {
		return &cmd.Plugin{Plugin: *make(host.Pool)}, nil
	}
}

// run does what happens in the background, until stop is called or the test ends.
func (b *bundle) run() (stop func()) {
	return platformtest.Run(b.t, b.docket.Run)
}

// log is the log as the command line opens it.
func (b *bundle) log() *eventstore.Store {
	return eventstore.New(b.pool, projections.Inline{}, nil, nil, time.Now, func() {})
}

// user makes an account and gives its id.
func (b *bundle) user(name string) string {
	b.t.Helper()
	u, err := b.accounts.CreateUser(context.Background(), account.NewUser{Email: strings.ReplaceAll(strings.ToLower(name), " ", ".") + "@example.test", Name: name})
	require.NoError(b.t, err)
	return u.ID
}

// session signs an account in without a password.
func (b *bundle) session(userID string) *client {
	b.t.Helper()
	s, err := b.accounts.StartSession(context.Background(), userID)
	require.NoError(b.t, err)
	return &client{b: b, header: nethttp.Header{"Cookie": {"docket_session=" + s.ID}}}
}

func (b *bundle) guest() *client { return &client{b: b, header: nethttp.Header{}} }

func (b *bundle) member(n int) *client { return b.session(b.members[n]) }

// moderator makes a moderator with permissions in the forum's modules, in all
// categories or in some.
func (b *bundle) moderator(name string, categories []string, permissions ...string) *client {
	b.t.Helper()
	id := b.user(name)
	require.NoError(b.t, b.staff.Ensure(context.Background(), permission.Moderator, id, forumEntry(categories, permissions...)))
	return b.session(id)
}

// unlimited makes a moderator without restrictions.
func (b *bundle) unlimited(name string) *client {
	b.t.Helper()
	id := b.user(name)
	require.NoError(b.t, b.staff.Ensure(context.Background(), permission.Moderator, id, permission.Entry{Unrestricted: true}))
	return b.session(id)
}

// administrator makes an administrator with these areas, or a root without any.
func (b *bundle) administrator(name string, areas ...permission.Area) (id string, c *client) {
	b.t.Helper()
	id = b.user(name)
	entry := permission.Entry{Unrestricted: len(areas) == 0}
	for _, a := range areas {
		module, name, _ := strings.Cut(string(a), ":")
		entry.Grants = append(entry.Grants, permission.Grant{Plugin: permission.CorePlugin, Module: module, Permission: name})
	}
	require.NoError(b.t, b.staff.Ensure(context.Background(), permission.Admin, id, entry))
	return id, b.session(id)
}

func (b *bundle) admin(name string, areas ...permission.Area) *client {
	b.t.Helper()
	_, c := b.administrator(name, areas...)
	return c
}

func (b *bundle) auditor() *client { b.t.Helper(); return b.admin("Auditor", permission.AreaAudit) }

var everyPermission = []string{permission.ViewReports, permission.ManageReports, permission.EditNotes, permission.DeleteNotes, permission.ViewHidden, permission.Hide, permission.DecideAppeals, permission.ImposeMeasures, permission.Approve, permission.ViewQuality}

func forumEntry(categories []string, permissions ...string) permission.Entry {
	var e permission.Entry
	for _, module := range []string{"topics", "posts"} {
		for _, p := range permissions {
			s := &scope.Scope{Family: "forum.category", Mode: scope.All}
			if categories != nil {
				s = &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: categories}
			}
			e.Grants = append(e.Grants, permission.Grant{Plugin: "forum", Module: module, Permission: p, Scope: s})
		}
	}
	return e
}

// file reports a post as a member and gives the report's id.
func (b *bundle) file(member int, post string) string {
	b.t.Helper()
	a := b.member(member).post("/moderation/reports", map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": post, "reason": "spam"})
	a.status(nethttp.StatusCreated)
	return a.body["id"].(string)
}

// metrics are the server's, in Prometheus' text.
func (b *bundle) metrics() string {
	w := httptest.NewRecorder()
	b.api.ServeHTTP(w, httptest.NewRequest(nethttp.MethodGet, "http://docket.test/metrics", nil))
	return w.Body.String()
}

// client sends requests as one caller.
type client struct {
	b      *bundle
	header nethttp.Header
}

// answer is what came back.
type answer struct {
	t      testing.TB
	what   string
	code   int
	header nethttp.Header
	raw    []byte
	body   map[string]any // nil when it is no JSON object

	request  *nethttp.Request
	response *nethttp.Response
}

func (a *answer) status(want int) *answer {
	a.t.Helper()
	require.Equal(a.t, want, a.code, "%s: %s", a.what, a.raw)
	return a
}

// fault holds the answer to a status and an error code.
func (a *answer) fault(status int, code string) *answer {
	a.t.Helper()
	a.status(status)
	require.Equal(a.t, code, a.body["error"], a.what)
	return a
}

// issues are the codes of a validation error by path.
func (a *answer) issues() map[string]string {
	a.t.Helper()
	found := map[string]string{}
	list, _ := a.body["issues"].([]any)
	for _, i := range list {
		issue := i.(map[string]any)
		require.NotContains(a.t, found, issue["path"], "one fault a field: %s", a.raw)
		found[issue["path"].(string)] = issue["code"].(string)
	}
	return found
}

// types are those of a list's entries.
func (a *answer) types() (types []any) {
	a.t.Helper()
	for _, e := range a.edges() {
		types = append(types, e["type"])
	}
	return types
}

func (a *answer) edges() []map[string]any {
	a.t.Helper()
	var out []map[string]any
	for _, e := range a.body["edges"].([]any) {
		out = append(out, e.(map[string]any))
	}
	return out
}

func (c *client) get(path string) *answer { return c.do(nethttp.MethodGet, path, "", nil) }

func (c *client) post(path string, body any) *answer {
	c.b.t.Helper()
	if s, ok := body.(string); ok {
		return c.do(nethttp.MethodPost, path, "application/json", []byte(s))
	}
	encoded, err := json.Marshal(body)
	require.NoError(c.b.t, err)
	return c.do(nethttp.MethodPost, path, "application/json", encoded)
}

// do sends a request whose answer the OpenAPI document describes.
func (c *client) do(method, path, contentType string, body []byte) *answer {
	c.b.t.Helper()
	a := c.undescribed(method, path, contentType, body)
	checkAnswer(c.b.t, a.request, body, a.response, a.raw)
	return a
}

// undescribed sends a request to a route that the document does not hold.
func (c *client) undescribed(method, path, contentType string, body []byte) *answer {
	c.b.t.Helper()
	if !strings.HasPrefix(path, "/api/") {
		path = http.Base + path
	}
	r, err := nethttp.NewRequest(method, c.b.server.URL+path, bytes.NewReader(body))
	require.NoError(c.b.t, err)
	for name, values := range c.header {
		r.Header[name] = values
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := c.b.server.Client().Do(r)
	require.NoError(c.b.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(c.b.t, err)
	a := &answer{t: c.b.t, what: method + " " + path, code: resp.StatusCode, header: resp.Header, raw: raw, request: r, response: resp}
	_ = json.Unmarshal(raw, &a.body)
	return a
}
