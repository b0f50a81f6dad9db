package http_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/mute"
	"github.com/docketmod/docket/platform/policy"
	"github.com/docketmod/docket/platform/queue"
	"github.com/docketmod/docket/platform/staff"
	"github.com/docketmod/docket/platform/views"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

// bundle is the API over the forum, on a database of the test's own.
type bundle struct {
	t        testing.TB
	pool     *pgxpool.Pool
	server   *httptest.Server
	accounts *account.Store
	staff    *staff.Store
	store    *eventstore.Store
	service  *moderation.Service
	members  []string
	areas    []http.Area

	registered *plugin.Registered
	reconnect  func() // of http.Config
}

// newBundle serves the API and checks each request and answer that passes
// through it against the OpenAPI document. Other plugins come beside the forum.
func newBundle(t testing.TB, others ...func(*pgxpool.Pool) *plugin.Plugin) *bundle {
	t.Helper()
	return newBundleOn(t, pgtest.New(t), nil, others...)
}

// newBundleOn is newBundle on a pool of the test's own.
func newBundleOn(t testing.TB, pool *pgxpool.Pool, reconnect func(), others ...func(*pgxpool.Pool) *plugin.Plugin) *bundle {
	t.Helper()
	ctx := context.Background()
	b := &bundle{t: t, pool: pool, reconnect: reconnect}
	_, err := migrations.Plugin("forum", forum.Tables()).Up(ctx, pool)
	require.NoError(t, err)
	plugins := []*plugin.Plugin{forum.Plugin(pool)}
	for _, other := range others {
		plugins = append(plugins, other(pool))
	}
	registered, err := plugin.Register(ctx, plugin.Deps{Content: content.NewStore(pool)}, plugins...)
	require.NoError(t, err)
	b.registered = registered
	b.accounts, err = account.New(pool, account.Config{})
	require.NoError(t, err)
	b.staff, err = staff.New(pool, staff.Config{Catalog: registered.Permissions, Scopes: registered.Scopes})
	require.NoError(t, err)
	for i := range 9 {
		b.members = append(b.members, b.user(fmt.Sprintf("Member %d", i)))
	}
	require.NoError(t, forum.Seed(ctx, pool, b.members, time.Now()))
	reports := projections.NewReports(pool)
	b.store = eventstore.New(pool, projections.Inline{}, queue.Effects{Now: time.Now}, nil, time.Now, func() {})
	b.service = moderation.New(b.store, reports, b.staff, registered.Targets, time.Now, "en")
	b.service.Policies, b.service.AppealPeriod = policy.New(pool, time.Now), 180*24*time.Hour
	b.serve(
		http.Description{},
		http.Embed{},
		http.SessionArea{Sessions: b.accounts, BaseURL: baseURL()},
		&http.Staff{Entries: b.staff, Catalog: registered.Permissions, Scopes: registered.Scopes, Targets: registered.Targets},
		&http.Catalog{Targets: registered.Targets, Content: registered.Content, Messages: registered.Messages, Locale: "en"},
		&http.Reporters{Mutes: mute.New(pool, time.Now, b.staff.Seal), Queries: reports},
		&http.Online{Moderators: b.accounts.Online},
		&http.Views{Store: views.New(pool, time.Now)},
		&http.Reports{Moderation: b.service, Queries: reports},
		&http.Cases{Moderation: b.service, Queries: reports},
		&http.Content{Types: registered.Content},
		&http.Stats{Figures: statistics.NewReader(pool), Now: time.Now},
		&http.Projections{Status: func(ctx context.Context) ([]projector.BuildStatus, error) {
			return projector.Status(ctx, pool, time.Now())
		}, Runs: newRuns(pool)},
		&http.Audit{Log: func(ctx context.Context, after int64, r paging.Request) (paging.Page[eventstore.Logged], error) {
			return eventstore.LogPage(ctx, pool, after, r)
		}},
		&http.Replay{Moderation: b.service, Names: b.accounts.Names,
			Events: func(ctx context.Context, id string, each func(report.Event)) error {
				return eventstore.EachEvent(ctx, pool, id, each)
			},
			Texts: func(ctx context.Context, id string, sequences []int, each func(report.Event) error) error {
				return eventstore.EachText(ctx, pool, id, sequences, each)
			}},
	)
	return b
}

func baseURL() *url.URL { return &url.URL{Scheme: "http", Host: "docket.test"} }

// serve serves these areas beside those that are served already.
func (b *bundle) serve(more ...http.Area) {
	b.areas = append(b.areas, more...)
	b.server = httptest.NewServer(http.New(http.Config{BaseURL: baseURL(), Log: zerolog.Nop(), Authenticator: b.accounts, Reconnect: b.reconnect}, b.areas...))
	b.t.Cleanup(b.server.Close)
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

var everyPermission = []string{permission.ViewReports, permission.ManageReports, permission.EditNotes, permission.DeleteNotes, permission.ViewHidden, permission.Hide, permission.DecideAppeals}

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
		found[issue["path"].(string)] = issue["code"].(string)
	}
	return found
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

// apiRouter finds the operation of a request in the OpenAPI document.
var apiRouter = sync.OnceValues(func() (routers.Router, error) {
	raw, err := http.OpenAPI()
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return nil, err
	}
	if err := document.Validate(context.Background()); err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(document)
})

// checkAnswer holds an answer to the OpenAPI document, and the request too when
// it was not refused as invalid.
func checkAnswer(t testing.TB, r *nethttp.Request, body []byte, resp *nethttp.Response, raw []byte) {
	t.Helper()
	if resp.StatusCode == nethttp.StatusNotFound || resp.StatusCode == nethttp.StatusMethodNotAllowed {
		return
	}
	router, err := apiRouter()
	require.NoError(t, err)
	probe := r.Clone(context.Background())
	probe.URL.Host, probe.URL.Scheme, probe.Host = "", "", ""
	probe.Body = io.NopCloser(bytes.NewReader(body))
	route, params, err := router.FindRoute(probe)
	require.NoError(t, err, "%s %s is not in the OpenAPI document", r.Method, r.URL.Path)
	input := &openapi3filter.RequestValidationInput{Request: probe, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
	if resp.StatusCode < 300 {
		require.NoError(t, openapi3filter.ValidateRequest(context.Background(), input), "request %s %s", r.Method, r.URL.Path)
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: resp.StatusCode, Header: resp.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true}}
	out.SetBodyBytes(raw)
	require.NoError(t, openapi3filter.ValidateResponse(context.Background(), out), "answer of %s %s: %s", r.Method, r.URL.Path, raw)
}
