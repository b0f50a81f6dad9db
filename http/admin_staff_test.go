package http_test

import (
	"context"
	nethttp "net/http"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// staffBundle is the bundle with a root, and with a second scope family, blog.section.
type staffBundle struct {
	*bundle
	root  *client                      // root admin and unrestricted moderator
	fault atomic.Pointer[func() error] // of the list of blog.section
}

func newStaffBundle(t *testing.T) *staffBundle {
	t.Helper()
	b := &staffBundle{}
	b.bundle = newBundle(t, source(func(*pgxpool.Pool) *plugin.Plugin {
		return &plugin.Plugin{ID: "blog",
			Scopes: []scope.Definition{{ID: "blog.section", Label: "blog.section",
				List: func(context.Context, scope.Query) ([]scope.Item, string, error) {
					if fault := b.fault.Load(); fault != nil {
						return nil, "", (*fault)()
					}
					return []scope.Item{{ID: "news", Label: "News"}}, "", nil
				},
				Find: func(context.Context, []string) ([]scope.Item, error) { return nil, nil },
			}},
			Targets: []target.Definition{{Type: "blog.page", Label: "blog.page", PermissionModule: "pages", ScopeFamily: "blog.section", ParseID: content.KeyUUID.Parse,
				Capture:      func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) { return nil, nil },
				Current:      func(context.Context, string, string) (*target.State, error) { return nil, nil },
				ResolveScope: func(context.Context, string) (string, bool, error) { return "", false, nil },
			}},
			Messages: map[string]map[string]string{"en": {"blog.section": "section", "blog.page": "page"}},
		}
	}))
	b.root = b.session(b.rootModerator("Root"))
	return b
}

// holding makes an account with an entry of these grants.
func (b *staffBundle) holding(kind permission.Kind, name string, grants ...permission.Grant) *client {
	b.t.Helper()
	id := b.user(name)
	require.NoError(b.t, b.staff.Ensure(b.t.Context(), kind, id, permission.Entry{Grants: grants}))
	return b.session(id)
}

func (b *staffBundle) entryOf(kind permission.Kind, name string) string {
	b.t.Helper()
	return pgtest.One[string](b.t, b.pool, `SELECT e.id::text FROM core_staff_entries e JOIN core_users u ON u.id = e.user_id WHERE e.kind = $1 AND u.name = $2`, kind, name)
}

func (c *client) patch(path, body string) *answer {
	c.b.t.Helper()
	return c.do(nethttp.MethodPatch, path, "application/json", []byte(body))
}

const viewGeneral = `{"plugin": "forum", "module": "posts", "permission": "can_view_reports",
	"scope": {"family": "forum.category", "mode": "selected", "ids": ["general"]}}`

func viewPosts(s *scope.Scope) permission.Grant {
	return permission.Grant{Plugin: "forum", Module: "posts", Permission: permission.ViewReports, Scope: s}
}

func inCategory(id string) *scope.Scope {
	return &scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{id}}
}

func TestStaffEntryFromCreationToDeletion(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	id := b.user("Mia")
	mia := b.session(id)

	path := "/admin/staff/entry/moderator"
	made := b.root.post(path, map[string]any{"userId": id}).status(201)
	b.root.post(path, map[string]any{"userId": id}).fault(409, "already_exists")
	path += "/" + made.body["id"].(string)
	entry := b.root.get(path).status(200).body
	require.Equal(t, map[string]any{"id": id, "name": "Mia", "email": "mia@example.test"}, entry["user"])
	require.Equal(t, []any{false, []any{}}, []any{entry["unrestricted"], entry["permissions"]})
	created, _ := entry["updatedAt"].(string)
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, created)

	// A change holds on the user's next request.
	entry = b.root.patch(path, `{"unrestricted": false, "permissions": [`+viewGeneral+`], "expectedUpdatedAt": "`+created+`"}`).status(200).body
	require.JSONEq(t, `{"root": false, "permissions": [`+viewGeneral+`]}`, string(mia.get("/users/permissions").status(200).raw))

	// A stale expectation is told what there is now, and nothing else.
	conflict := b.root.patch(path, `{"unrestricted": true, "permissions": [], "expectedUpdatedAt": "`+created+`"}`).status(409)
	require.Equal(t, map[string]any{"error": "conflict", "current": entry}, conflict.body)

	// What is absent is left as it is.
	entry = b.root.patch(path, `{"unrestricted": true}`).status(200).body
	require.Equal(t, true, entry["unrestricted"])
	require.Len(t, entry["permissions"], 1)

	b.root.delete(path).status(204)
	b.root.get(path).status(404)
	history := b.root.get(path + "/history").status(200).edges()
	require.Len(t, history, 4)
	for i, action := range []string{"deleted", "updated", "updated", "created"} {
		require.Equal(t, []any{action, "Root"}, []any{history[i]["action"], history[i]["actor"].(map[string]any)["name"]})
	}
	require.Len(t, history[0]["before"].(map[string]any)["permissions"], 1)
	require.Nil(t, history[0]["after"])
}

func TestStaffPatchRefusals(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	root := b.root
	b.holding(permission.Moderator, "Mia")
	wide := b.holding(permission.Moderator, "Wim", viewPosts(&scope.Scope{Family: "forum.category", Mode: scope.All}))
	dan := b.admin("Dan", permission.AreaModerators)
	path := "/admin/staff/entry/moderator/"
	mia := b.entryOf(permission.Moderator, "Mia")
	all := `{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "all"}}`

	cases := map[string]struct {
		as     *client
		path   string
		body   string
		status int
		want   string // within the body
	}{
		"a guest":                   {b.guest(), path + mia, `{}`, 401, `"unauthorized"`},
		"a moderator without area":  {wide, path + mia, `{}`, 403, `"forbidden"`},
		"another area":              {dan, "/admin/staff/entry/admin/" + mia, `{}`, 403, "can_manage_admins"},
		"root's":                    {b.admin("Ada", permission.AreaAdmins), "/admin/staff/entry/admin/" + b.entryOf(permission.Admin, "Root"), `{"permissions": []}`, 403, "more than your own"},
		"an id of no form":          {root, path + "x", `{`, 404, `"not_found"`},
		"the other kind's entry":    {root, "/admin/staff/entry/admin/" + mia, `{}`, 404, `"not_found"`},
		"wider than the caller":     {dan, path + mia, `{"permissions": [` + all + `]}`, 403, "forum:posts:can_view_reports (all of forum.category)"},
		"no JSON":                   {root, path + mia, `{`, 400, `"invalid_json"`},
		"nothing at all":            {root, path + mia, `{}`, 400, `"required"`},
		"an unknown field":          {root, path + mia, `{"permissions": [], "root": true}`, 400, `{"path":"root","code":"unknown_field"`},
		"null":                      {root, path + mia, `{"permissions": null}`, 400, `{"path":"permissions","code":"wrong_type"`},
		"a grant of no object":      {root, path + mia, `{"permissions": [7]}`, 400, `{"path":"permissions[0]","code":"wrong_type"`},
		"an unknown field within":   {root, path + mia, `{"permissions": [{"plugin": "", "module": "", "permission": "", "all": 1}]}`, 400, `{"path":"permissions[0].all","code":"unknown_field"`},
		"a missing field within":    {root, path + mia, `{"permissions": [{"plugin": "forum"}]}`, 400, `{"path":"permissions[0].module","code":"required"`},
		"a duplicate key within":    {root, path + mia, `{"permissions": [{"plugin": "a", "plugin": "b"}]}`, 400, `{"path":"permissions[0].plugin","code":"duplicate_key"`},
		"an id of no text":          {root, path + mia, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "selected", "ids": ["general", 7]}}]}`, 400, `{"path":"permissions[0].scope.ids[1]","code":"wrong_type"`},
		"an id with U+0000":         {root, path + mia, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_view_reports", "scope": {"family": "forum.category", "mode": "selected", "ids": ["\u0000"]}}]}`, 400, `{"path":"permissions[0].scope.ids[0]","code":"invalid_text"`},
		"a missing scope":           {root, path + mia, `{"permissions": [{"plugin": "forum", "module": "posts", "permission": "can_view_reports"}]}`, 400, `{"error":"invalid_permissions","issues":[{"key":"forum:posts:can_view_reports","type":"missing_scope"}]}`},
		"faults of two fields":      {root, path + mia, `{"unrestricted": 1, "permissions": [{"plugin": "x", "module": "y", "permission": "z"}]}`, 400, `{"path":"permissions[0]","code":"unknown_permission"`},
		"a time that is none":       {root, path + mia, `{"permissions": [], "expectedUpdatedAt": "now"}`, 400, `{"path":"expectedUpdatedAt","code":"invalid"`},
		"a scope of an admin grant": {root, "/admin/staff/entry/admin/" + b.entryOf(permission.Admin, "Dan"), `{"permissions": [{"plugin": "@platform/core", "module": "audit", "permission": "can_view", "scope": {"family": "forum.category", "mode": "all"}}]}`, 400, `"type":"unexpected_scope"`},
	}
	for name, c := range cases {
		a := c.as.patch(c.path, c.body)
		require.Equal(t, c.status, a.code, "%s: %s", name, a.raw)
		require.Contains(t, string(a.raw), c.want, name)
	}
}

func TestStaffCreateRefusals(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	for body, code := range map[string]string{`{}`: "required", `{"userId": "x"}`: "invalid", `{"userId": "` + uuid.NewString() + `"}`: "unknown_user"} {
		require.Equal(t, map[string]string{"userId": code}, b.root.post("/admin/staff/entry/admin", body).fault(400, "validation_failed").issues())
	}
}
