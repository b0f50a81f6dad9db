package http

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/migrations"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/content"
	"github.com/docketmod/docket/platform/forum"
	"github.com/docketmod/docket/platform/staff"
)

// contentBundle is the forum's public API on a database of the test's own.
type contentBundle struct {
	http.Handler
	t        *testing.T
	pool     *pgxpool.Pool
	accounts *account.Store
	entries  *staff.Store
	member   string
}

func newContentBundle(t *testing.T) *contentBundle {
	t.Helper()
	pool := pgtest.New(t)
	_, err := migrations.Plugin("forum", forum.Tables()).Up(t.Context(), pool)
	require.NoError(t, err)
	registered, err := registry.Register(t.Context(), registry.Deps{Content: content.NewStore(pool)}, &registry.Declaration{Plugin: *forum.Plugin(pool)})
	require.NoError(t, err)
	b := &contentBundle{t: t, pool: pool}
	b.accounts, err = account.New(pool, account.Config{})
	require.NoError(t, err)
	b.entries, err = staff.New(pool, staff.Config{Catalog: registered.Permissions, Scopes: registered.Scopes})
	require.NoError(t, err)
	b.member, _ = b.user("Member", nil)
	require.NoError(t, forum.Seed(t.Context(), pool, []string{b.member}, time.Now()))
	b.Handler = New(Config{Log: zerolog.Nop(), Authenticator: b.accounts}, &Content{Types: registered.Content})
	return b
}

// user makes an account, with a moderator entry of the grants when there are
// any, and gives its id and session.
func (b *contentBundle) user(name string, grants []permission.Grant) (id, session string) {
	b.t.Helper()
	u, err := b.accounts.CreateUser(b.t.Context(), account.NewUser{Email: name + "@example.test", Name: name})
	require.NoError(b.t, err)
	if grants != nil {
		require.NoError(b.t, b.entries.Ensure(b.t.Context(), permission.Moderator, u.ID, permission.Entry{Grants: grants}))
	}
	s, err := b.accounts.StartSession(b.t.Context(), u.ID)
	require.NoError(b.t, err)
	return u.ID, s.ID
}

func (b *contentBundle) get(session, path string) (int, map[string]any) {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodGet, path, nil)
	if session != "" {
		r.AddCookie(&http.Cookie{Name: "docket_session", Value: session})
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	var body map[string]any
	require.NoError(b.t, json.Unmarshal(w.Body.Bytes(), &body), w.Body.String())
	return w.Code, body
}

// hide hides a post of the category and gives its id.
func (b *contentBundle) hide(category string) (post string) {
	b.t.Helper()
	require.NoError(b.t, b.pool.QueryRow(b.t.Context(), `UPDATE forum_posts SET hidden_at = now(), hidden_by = $2
		WHERE id = (SELECT min(id) FROM forum_posts WHERE category_id = $1) RETURNING id::text`, category, b.member).Scan(&post))
	return post
}

func viewHidden(s scope.Scope) []permission.Grant {
	return []permission.Grant{{Plugin: "forum", Module: "posts", Permission: permission.ViewHidden, Scope: &s}}
}

func TestHiddenContentIsThereOnlyForThoseWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	b := newContentBundle(t)
	general, support := b.hide("general"), b.hide("support")
	_, member := b.user("reader", nil)
	_, all := b.user("all", viewHidden(scope.Scope{Family: "forum.category", Mode: scope.All}))
	_, scoped := b.user("scoped", viewHidden(scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{"general"}}))
	_, reports := b.user("reports", []permission.Grant{{Plugin: "forum", Module: "posts", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "forum.category", Mode: scope.All}}})

	tests := []struct {
		name             string
		session          string
		general, support int
	}{
		{"a guest", "", 404, 404},
		{"a broken session", "nonsense", 404, 404},
		{"a member", member, 404, 404},
		{"a moderator without the permission", reports, 404, 404},
		{"a moderator of general", scoped, 200, 404},
		{"a moderator of all", all, 200, 200},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, body := b.get(test.session, "/api/forum/posts/"+general)
			require.Equal(t, test.general, code)
			if code == 200 {
				require.Equal(t, true, body["hidden"])
			}
			code, _ = b.get(test.session, "/api/forum/posts/"+support)
			require.Equal(t, test.support, code)

			listed := map[string]bool{}
			for path := "/api/forum/posts?first=20"; path != ""; {
				code, body = b.get(test.session, path)
				require.Equal(t, 200, code)
				for _, e := range body["edges"].([]any) {
					listed[e.(map[string]any)["id"].(string)] = true
				}
				info := body["pageInfo"].(map[string]any)
				if path = ""; info["hasNextPage"] == true {
					path = "/api/forum/posts?first=20&cursor=" + info["endCursor"].(string)
				}
			}
			require.Equal(t, test.general == 200, listed[general])
			require.Equal(t, test.support == 200, listed[support])
			require.Greater(t, len(listed), 45)
		})
	}
}

func TestContentItem(t *testing.T) {
	t.Parallel()
	b := newContentBundle(t)

	code, topic := b.get("", "/api/forum/topics/1")
	require.Equal(t, 200, code)
	require.Equal(t, "1", topic["id"])
	require.Equal(t, "/forum/topics/1", topic["url"])
	require.Equal(t, "Welcome: introduce yourself here", topic["title"])
	require.Equal(t, "doc", topic["body"].(map[string]any)["type"])
	require.Equal(t, "en", topic["locale"])
	require.Equal(t, []any{map[string]any{"id": b.member, "name": "Member"}}, topic["authors"])
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, topic["publishedAt"])

	code, profile := b.get("", "/api/forum/profiles/"+b.member)
	require.Equal(t, 200, code)
	require.Equal(t, "Member", profile["name"])
	require.NotContains(t, profile, "email")
}

func TestContentThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := newContentBundle(t)
	draft := pgtest.One[string](t, b.pool, "SELECT id::text FROM forum_topics WHERE status = 'draft'")
	tests := []struct {
		path  string
		code  int
		error string
	}{
		{"/api/forum/topics/" + draft, 404, "not_found"},
		{"/api/forum/topics/999999", 404, "not_found"},
		{"/api/forum/topics/01", 404, "not_found"},
		{"/api/forum/topics/1%00", 404, "not_found"},
		{"/api/forum/topics/%ff", 404, "not_found"},
		{"/api/forum/topics/99999999999999999999", 404, "not_found"},
		{"/api/forum/profiles/1", 404, "not_found"},
		{"/api/forum/polls", 404, "not_found"},
		{"/api/wiki/topics/1", 404, "not_found"},
		{"/api/@platform/topics/1", 404, "not_found"},
		{"/api/forum/topics/1?locale=%00", 400, "validation_failed"},
		{"/api/forum/topics?first=0&locale=x", 400, "validation_failed"},
		{"/api/forum/topics?cursor=x", 400, "invalid_cursor"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			code, body := b.get("", test.path)
			require.Equal(t, test.code, code)
			require.Equal(t, test.error, body["error"])
		})
	}
}
