package http

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

// staffBundle is the staff routes over a database of the test's own.
type staffBundle struct {
	http.Handler
	t        *testing.T
	accounts *account.Store
	entries  *staff.Store
	root     staffCaller                  // root admin and unrestricted moderator
	fault    atomic.Pointer[func() error] // of the list of forum.category
}

// staffCaller is an account with a token that may be used for everything.
type staffCaller struct{ id, token string }

func newStaffBundle(t *testing.T) *staffBundle {
	t.Helper()
	pool := pgtest.New(t)
	b := &staffBundle{t: t}
	var err error
	b.accounts, err = account.New(pool, account.Config{})
	require.NoError(t, err)
	catalog, err := permission.NewCatalog(nil, append(
		permission.Generated("forum", "posts", "forum.category", true),
		permission.Generated("forum", "profiles", "", false)...))
	require.NoError(t, err)
	forum := categories()
	list := forum.List
	forum.List = func(ctx context.Context, q scope.Query) ([]scope.Item, string, error) {
		if fault := b.fault.Load(); fault != nil {
			return nil, "", (*fault)()
		}
		return list(ctx, q)
	}
	scopes := registry.NewScopes(forum, &scope.Definition{
		ID: "blog.section", Label: "blog.section", List: categories().List, Find: categories().Find,
	})
	targets := registry.NewTargets(&target.Definition{
		PluginID: "forum", Type: "forum.post", PermissionModule: "posts", ScopeFamily: "forum.category",
	})
	b.entries, err = staff.New(pool, staff.Config{Catalog: catalog, Scopes: scopes})
	require.NoError(t, err)
	b.Handler = New(Config{Log: zerolog.Nop(), Authenticator: b.accounts},
		&Staff{Entries: b.entries, Catalog: catalog, Scopes: scopes, Targets: targets})
	b.root = b.caller("Root")
	b.ensure(b.root, permission.Admin, permission.Entry{Unrestricted: true})
	b.ensure(b.root, permission.Moderator, permission.Entry{Unrestricted: true})
	return b
}

// categories is a family of three, paged by its ids.
func categories() *scope.Definition {
	all := []scope.Item{
		{ID: "general", Label: "General", Context: []string{"Talk"}}, {ID: "offtopic", Label: "Off topic"}, {ID: "support", Label: "Support"},
	}
	return &scope.Definition{
		ID: "forum.category", Label: "forum.category", Description: "forum.category.description",
		List: func(_ context.Context, q scope.Query) (items []scope.Item, next string, err error) {
			for _, item := range all {
				if item.ID <= q.Cursor || !strings.Contains(strings.ToLower(item.Label), strings.ToLower(q.Search)) {
					continue
				}
				if len(items) == q.Limit {
					return items, items[len(items)-1].ID, nil
				}
				items = append(items, item)
			}
			return items, "", nil
		},
		Find: func(_ context.Context, ids []string) ([]scope.Item, error) {
			return slices.DeleteFunc(slices.Clone(all), func(i scope.Item) bool { return !slices.Contains(ids, i.ID) }), nil
		},
	}
}

func (b *staffBundle) caller(name string) staffCaller {
	b.t.Helper()
	u, err := b.accounts.CreateUser(b.t.Context(), account.NewUser{Name: name, Email: strings.ToLower(name) + "@example.test"})
	require.NoError(b.t, err)
	token, _, err := b.accounts.CreateToken(b.t.Context(), u.ID, account.NewToken{Use: permission.UseAdmin})
	require.NoError(b.t, err)
	return staffCaller{u.ID, token}
}

func (b *staffBundle) ensure(c staffCaller, kind permission.Kind, rights permission.Entry) {
	b.t.Helper()
	require.NoError(b.t, b.entries.Ensure(b.t.Context(), kind, c.id, rights))
}

// moderator makes an account with a moderator entry and returns the entry's id too.
func (b *staffBundle) moderator(name string, grants ...permission.Grant) (staffCaller, string) {
	b.t.Helper()
	c := b.caller(name)
	var made struct{ ID string }
	b.answer(http.StatusCreated, &made, b.root, http.MethodPost, "/admin/staff/entry/moderator", `{"userId": "`+c.id+`"}`)
	if len(grants) > 0 {
		_, err := b.entries.Replace(b.t.Context(), staff.Operator(), permission.Moderator, made.ID, staff.Update{Grants: &grants})
		require.NoError(b.t, err)
	}
	return c, made.ID
}

// do sends a request and returns status and body.
func (b *staffBundle) do(as staffCaller, method, path, body string) (int, string) {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, Base+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if as.token != "" {
		r.Header.Set("Authorization", "Bearer "+as.token)
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// answer sends a request and reads an answer of that status into v.
func (b *staffBundle) answer(status int, v any, as staffCaller, method, path, body string) {
	b.t.Helper()
	got, text := b.do(as, method, path, body)
	require.Equal(b.t, status, got, text)
	require.NoError(b.t, json.Unmarshal([]byte(text), v), text)
}

const viewGeneral = `{"plugin": "forum", "module": "posts", "permission": "can_view_reports",
	"scope": {"family": "forum.category", "mode": "selected", "ids": ["general"]}}`

func viewPosts(s *scope.Scope) permission.Grant {
	return permission.Grant{Plugin: "forum", Module: "posts", Permission: permission.ViewReports, Scope: s}
}

func inGeneral() *scope.Scope {
	return &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{"general"}}
}

func TestStaffEntryFromCreationToDeletion(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	mia := b.caller("Mia")

	var made struct{ ID string }
	b.answer(http.StatusCreated, &made, b.root, http.MethodPost, "/admin/staff/entry/moderator", `{"userId": "`+mia.id+`"}`)
	path := "/admin/staff/entry/moderator/" + made.ID
	status, text := b.do(b.root, http.MethodPost, "/admin/staff/entry/moderator", `{"userId": "`+mia.id+`"}`)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, text, `"error":"already_exists"`)

	var entry map[string]any
	b.answer(http.StatusOK, &entry, b.root, http.MethodGet, path, "")
	require.Equal(t, map[string]any{"id": mia.id, "name": "Mia", "email": "mia@example.test"}, entry["user"])
	require.Equal(t, false, entry["unrestricted"])
	require.Equal(t, []any{}, entry["permissions"])
	created, _ := entry["updatedAt"].(string)
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, created)

	// A change holds on the user's next request.
	b.answer(http.StatusOK, &entry, b.root, http.MethodPatch, path,
		`{"unrestricted": false, "permissions": [`+viewGeneral+`], "expectedUpdatedAt": "`+created+`"}`)
	status, text = b.do(mia, http.MethodGet, "/users/permissions", "")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"root": false, "permissions": [`+viewGeneral+`]}`, text)

	// A stale expectation is told what there is now, and nothing else.
	var conflict map[string]any
	b.answer(http.StatusConflict, &conflict, b.root, http.MethodPatch, path,
		`{"unrestricted": true, "permissions": [], "expectedUpdatedAt": "`+created+`"}`)
	require.Equal(t, map[string]any{"error": "conflict", "current": entry}, conflict)

	status, text = b.do(b.root, http.MethodDelete, path, "")
	require.Equal(t, http.StatusNoContent, status, text)
	status, _ = b.do(b.root, http.MethodGet, path, "")
	require.Equal(t, http.StatusNotFound, status)

	var history struct{ Edges []staffChange }
	b.answer(http.StatusOK, &history, b.root, http.MethodGet, path+"/history", "")
	require.Len(t, history.Edges, 3)
	for i, action := range []string{"deleted", "updated", "created"} {
		require.Equal(t, action, history.Edges[i].Action)
		require.Equal(t, b.root.id, history.Edges[i].Actor.ID)
		require.Equal(t, "Root", *history.Edges[i].Actor.Name)
	}
	require.Equal(t, []permission.Grant{viewPosts(inGeneral())}, history.Edges[0].Before.Permissions)
	require.Nil(t, history.Edges[0].After)
}

func TestStaffPatchLeavesWhatIsAbsent(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	_, id := b.moderator("Mia", viewPosts(inGeneral()))
	var entry staffEntry
	b.answer(http.StatusOK, &entry, b.root, http.MethodPatch, "/admin/staff/entry/moderator/"+id, `{"unrestricted": true}`)
	require.True(t, entry.Unrestricted)
	require.Len(t, entry.Permissions, 1)
}

func TestStaffPatchRefusals(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	_, moderator := b.moderator("Mia")
	wide, wideEntry := b.moderator("Wim", viewPosts(&scope.Scope{Family: "forum.category", Mode: scope.All}))
	// Dan manages moderators and views general himself.
	dan, danEntry := b.moderator("Dan", viewPosts(inGeneral()))
	b.ensure(dan, permission.Admin, permission.Entry{Grants: []permission.Grant{{Plugin: permission.CorePlugin, Module: "staff", Permission: "can_manage_moderators"}}})
	path := "/admin/staff/entry/moderator/"
	all := `{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "all"}}`

	cases := map[string]struct {
		as     staffCaller
		path   string
		body   string
		status int
		want   string // within the body
	}{
		"a guest":                   {staffCaller{}, path + moderator, `{}`, 401, `"unauthorized"`},
		"a moderator without area":  {wide, path + moderator, `{}`, 403, `"forbidden"`},
		"another area":              {dan, "/admin/staff/entry/admin/" + moderator, `{}`, 403, "can_manage_admins"},
		"an id of no form":          {b.root, path + "x", `{`, 404, `"not_found"`},
		"no such entry":             {b.root, path + uuid.NewString(), `{`, 404, `"not_found"`},
		"the other kind's entry":    {b.root, "/admin/staff/entry/admin/" + moderator, `{}`, 404, `"not_found"`},
		"within the ceiling":        {dan, path + moderator, `{"permissions": [` + viewGeneral + `]}`, 200, `"general"`},
		"wider than the caller":     {dan, path + moderator, `{"permissions": [` + all + `]}`, 403, "forum:posts:can_view_reports (all of forum.category)"},
		"unrestricted":              {dan, path + moderator, `{"unrestricted": true}`, 403, "unrestricted"},
		"an entry that holds more":  {dan, path + wideEntry, `{"permissions": []}`, 403, "more than your own"},
		"the own entry":             {dan, path + danEntry, `{"permissions": []}`, 403, "your own staff entry"},
		"no JSON":                   {b.root, path + moderator, `{`, 400, `"invalid_json"`},
		"nothing at all":            {b.root, path + moderator, `{}`, 400, `"required"`},
		"an unknown field":          {b.root, path + moderator, `{"permissions": [], "root": true}`, 400, `{"path":"root","code":"unknown_field"`},
		"null":                      {b.root, path + moderator, `{"permissions": null}`, 400, `{"path":"permissions","code":"wrong_type"`},
		"a grant of no object":      {b.root, path + moderator, `{"permissions": [7]}`, 400, `{"path":"permissions[0]","code":"wrong_type"`},
		"an unknown field within":   {b.root, path + moderator, `{"permissions": [{"plugin": "", "module": "", "permission": "", "all": 1}]}`, 400, `{"path":"permissions[0].all","code":"unknown_field"`},
		"a missing field within":    {b.root, path + moderator, `{"permissions": [{"plugin": "forum"}]}`, 400, `{"path":"permissions[0].module","code":"required"`},
		"a duplicate key within":    {b.root, path + moderator, `{"permissions": [{"plugin": "a", "plugin": "b"}]}`, 400, `{"path":"permissions[0].plugin","code":"duplicate_key"`},
		"an id of no text":          {b.root, path + moderator, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "selected", "ids": ["general", 7]}}]}`, 400, `{"path":"permissions[0].scope.ids[1]","code":"wrong_type"`},
		"an id with U+0000":         {b.root, path + moderator, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "selected", "ids": ["\u0000"]}}]}`, 400, `{"path":"permissions[0].scope.ids[0]","code":"invalid_text"`},
		"an unknown permission":     {b.root, path + moderator, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_fly"}]}`, 400, `{"path":"permissions[0]","code":"unknown_permission"`},
		"a missing dependency":      {b.root, path + moderator, `{"permissions": [{"plugin": "forum", "module": "profiles", "permission": "can_manage_reports"}]}`, 400, `{"path":"permissions[0]","code":"missing_dependency"`},
		"a missing scope":           {b.root, path + moderator, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_view_reports"}]}`, 400, `{"error":"invalid_permissions","issues":[{"key":"forum:posts:can_view_reports","type":"missing_scope"}]}`},
		"faults of two fields":      {b.root, path + moderator, `{"unrestricted": 1, "permissions": [{"plugin": "x", "module": "y", "permission": "z"}]}`, 400, `{"path":"permissions[0]","code":"unknown_permission"`},
		"a time that is none":       {b.root, path + moderator, `{"permissions": [], "expectedUpdatedAt": "now"}`, 400, `{"path":"expectedUpdatedAt","code":"invalid"`},
		"a scope of an admin grant": {b.root, "/admin/staff/entry/admin/" + b.entryOf(dan, permission.Admin), `{"permissions": [{"plugin": "@platform/core", "module": "audit", "permission": "can_view", "scope": {"family": "forum.category", "mode": "all"}}]}`, 400, `"type":"unexpected_scope"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			status, text := b.do(c.as, http.MethodPatch, c.path, c.body)
			require.Equal(t, c.status, status, text)
			require.Contains(t, text, c.want)
		})
	}
}

func (b *staffBundle) entryOf(c staffCaller, kind permission.Kind) string {
	b.t.Helper()
	var page struct{ Edges []staffEntry }
	b.answer(http.StatusOK, &page, b.root, http.MethodGet, "/admin/staff/"+string(kind)+"s?first=100", "")
	for _, e := range page.Edges {
		if e.User.ID == c.id {
			return e.ID
		}
	}
	b.t.Fatalf("%s has no %s entry", c.id, kind)
	return ""
}

func TestStaffCreateRefusals(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	for body, want := range map[string]string{
		`{}`:                                     `{"path":"userId","code":"required"`,
		`{"userId": "x"}`:                        `{"path":"userId","code":"invalid"`,
		`{"userId": "` + uuid.NewString() + `"}`: `{"path":"userId","code":"unknown_user"`,
	} {
		status, text := b.do(b.root, http.MethodPost, "/admin/staff/entry/admin", body)
		require.Equal(t, http.StatusBadRequest, status, text)
		require.Contains(t, text, want)
	}
}

func TestOnlyRootTouchesRootAndTheLastStays(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	admins := b.caller("Ada")
	b.ensure(admins, permission.Admin, permission.Entry{Grants: []permission.Grant{{Plugin: permission.CorePlugin, Module: "staff", Permission: "can_manage_admins"}}})
	root := "/admin/staff/entry/admin/" + b.entryOf(b.root, permission.Admin)

	for _, c := range []struct {
		as     staffCaller
		method string
	}{{admins, http.MethodPatch}, {admins, http.MethodDelete}, {b.root, http.MethodPatch}, {b.root, http.MethodDelete}} {
		status, text := b.do(c.as, c.method, root, `{"unrestricted": false, "permissions": []}`)
		require.Equal(t, http.StatusForbidden, status, text)
	}
	status, _ := b.do(admins, http.MethodGet, root, "")
	require.Equal(t, http.StatusOK, status, "to see is not to touch")
}
