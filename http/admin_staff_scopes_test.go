package http

import (
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

func TestScopeResources(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	const (
		general  = `{"id": "general", "label": "General", "context": ["Talk"]}`
		offtopic = `{"id": "offtopic", "label": "Off topic"}`
		support  = `{"id": "support", "label": "Support"}`
	)
	cases := map[string]struct {
		query  string
		status int
		want   string
	}{
		"the first page":           {"limit=2", 200, `{"items": [` + general + `, ` + offtopic + `], "nextCursor": "offtopic"}`},
		"the next page":            {"limit=2&cursor=offtopic", 200, `{"items": [` + support + `], "nextCursor": null}`},
		"a search":                 {"search=topic", 200, `{"items": [` + offtopic + `], "nextCursor": null}`},
		"a limit that is cut":      {"limit=1000", 200, `{"items": [` + general + `, ` + offtopic + `, ` + support + `], "nextCursor": null}`},
		"a saved selection":        {"ids=support,gone,general", 200, `{"items": [` + support + `, ` + general + `], "missing": ["gone"]}`},
		"an empty selection":       {"ids=", 200, `{"items": [], "missing": []}`},
		"a limit of none":          {"limit=0", 400, ""},
		"a limit of no number":     {"limit=x", 400, ""},
		"ids of no form":           {"ids=general,-x", 400, ""},
		"an empty id":              {"ids=general,", 400, ""},
		"ids twice":                {"ids=general&ids=support", 400, ""},
		"a limit twice":            {"limit=1&limit=2", 400, ""},
		"ids with a search":        {"ids=general&search=x", 400, ""},
		"more ids than fit":        {"ids=a" + strings.Repeat(",a", permission.MaxIDsPerGrant), 400, ""},
		"a search that is no text": {"search=%00", 400, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			status, text := b.do(b.root, http.MethodGet, "/admin/staff/scope-resources/forum.category?"+c.query, "")
			require.Equal(t, c.status, status, text)
			if c.want != "" {
				require.JSONEq(t, c.want, text)
			}
		})
	}
	for _, family := range []string{"forum", "forum.category%00", "a%2Fb"} {
		status, text := b.do(b.root, http.MethodGet, "/admin/staff/scope-resources/"+family, "")
		require.Equal(t, http.StatusNotFound, status, text)
	}
}

func TestCatalogIsForWhoeverManagesStaffOfEitherKind(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	for name, want := range map[string]int{"can_manage_moderators": 200, "can_manage_admins": 200, "": 403} {
		c := b.caller("U" + name)
		entry := permission.Entry{Grants: []permission.Grant{{Plugin: permission.CorePlugin, Module: "staff", Permission: name}}}
		if name == "" {
			entry.Grants = []permission.Grant{{Plugin: permission.CorePlugin, Module: "audit", Permission: "can_view"}}
		}
		b.ensure(c, permission.Admin, entry)
		status, _ := b.do(c, http.MethodGet, "/admin/staff/permissions", "")
		require.Equal(t, want, status, name)
		status, _ = b.do(c, http.MethodGet, "/admin/staff/scope-resources/forum.category", "")
		require.Equal(t, want, status, name)
	}
	var listing []permission.PluginPermissions
	b.answer(http.StatusOK, &listing, b.root, http.MethodGet, "/admin/staff/permissions", "")
	require.Len(t, listing, 2)
	require.Equal(t, permission.CorePlugin, listing[0].PluginID)
	require.Len(t, listing[1].Moderator["posts"], 8)
}

func TestOwnPermissions(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	empty, _ := b.moderator("Mia")
	for name, c := range map[string]struct {
		as     staffCaller
		status int
		want   string
	}{
		"guest":                  {staffCaller{}, 401, ""},
		"member":                 {b.caller("Max"), 200, `{"root": false, "permissions": []}`},
		"empty entry":            {empty, 200, `{"root": false, "permissions": []}`},
		"unrestricted moderator": {b.root, 200, `{"root": true, "permissions": []}`},
	} {
		t.Run(name, func(t *testing.T) {
			status, text := b.do(c.as, http.MethodGet, "/users/permissions", "")
			require.Equal(t, c.status, status, text)
			if c.want != "" {
				require.JSONEq(t, c.want, text)
			}
		})
	}
}

func TestOwnScopes(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	scoped, _ := b.moderator("Sam", viewPosts(inGeneral()),
		viewPosts(&scope.Scope{Family: "forum.category", Mode: scope.Selected, IDs: []string{"support"}}))
	whole, _ := b.moderator("Wim", viewPosts(&scope.Scope{Family: "forum.category", Mode: scope.All}))
	unscoped, _ := b.moderator("Una", permission.Grant{Plugin: "forum", Module: "profiles", Permission: permission.ViewReports})
	empty, _ := b.moderator("Eve")

	status, text := b.do(scoped, http.MethodGet, "/moderation/scopes", "")
	require.Equal(t, http.StatusOK, status, text)
	require.JSONEq(t, `{"items": [{
		"id": "forum.category", "label": "forum.category", "description": "forum.category.description",
		"all": false, "nextCursor": null,
		"resources": [{"id": "general", "label": "General", "context": ["Talk"]}, {"id": "support", "label": "Support"}]
	}]}`, text)

	type answer struct {
		Items []struct {
			ID         string
			All        bool
			NextCursor *string
			Resources  []scope.Item
		}
	}
	get := func(as staffCaller, query url.Values) answer {
		t.Helper()
		var a answer
		b.answer(http.StatusOK, &a, as, http.MethodGet, "/moderation/scopes?"+query.Encode(), "")
		return a
	}
	all := get(whole, nil)
	require.Len(t, all.Items, 1, "one family is within the grants, and one is not")
	require.True(t, all.Items[0].All)
	require.Len(t, all.Items[0].Resources, 3)
	require.Len(t, get(b.root, nil).Items, 2, "unrestricted: every family")
	require.Empty(t, get(unscoped, nil).Items)

	require.Len(t, get(scoped, url.Values{"search": {"SUPP"}}).Items[0].Resources, 1)
	require.Empty(t, get(scoped, url.Values{"family": {"blog.section"}}).Items)
	page := get(whole, url.Values{"family": {"forum.category"}, "limit": {"2"}})
	require.Len(t, page.Items[0].Resources, 2)
	next := get(whole, url.Values{"family": {"forum.category"}, "cursor": {*page.Items[0].NextCursor}})
	require.Equal(t, "support", next.Items[0].Resources[0].ID)

	for _, c := range []struct {
		as     staffCaller
		query  string
		status int
	}{{staffCaller{}, "", 401}, {b.caller("Max"), "", 403}, {empty, "", 403}, {whole, "?cursor=x", 400}} {
		status, text := b.do(c.as, http.MethodGet, "/moderation/scopes"+c.query, "")
		require.Equal(t, c.status, status, text)
	}
}

// Given a family that cannot be listed, then whoever may see another family too gets that one,
// and the name of the one that is missing.
func TestOwnScopesWithoutOneFamily(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	whole, _ := b.moderator("Wim", viewPosts(&scope.Scope{Family: "forum.category", Mode: scope.All}))
	for name, c := range map[string]struct {
		fault  func() error
		status int
	}{
		"no answer": {func() error { return domain.Errorf(domain.CodeUnavailable, "The platform does not answer.") }, http.StatusServiceUnavailable},
		"a panic":   {func() error { panic("no") }, http.StatusInternalServerError},
		"a nil of an error's type, whose text panics": {func() error { return (*fs.PathError)(nil) }, http.StatusInternalServerError},
	} {
		b.fault.Store(&c.fault)

		var answer struct {
			Items   []struct{ ID string }
			Missing []string
		}
		b.answer(http.StatusOK, &answer, b.root, http.MethodGet, "/moderation/scopes", "")
		require.Len(t, answer.Items, 1, name)
		require.Equal(t, "blog.section", answer.Items[0].ID, name)
		require.Equal(t, []string{"forum.category"}, answer.Missing, name)

		status, text := b.do(whole, http.MethodGet, "/moderation/scopes", "")
		require.Equal(t, c.status, status, "%s: %s", name, text)
		status, text = b.do(b.root, http.MethodGet, "/moderation/scopes?family=forum.category", "")
		require.Equal(t, c.status, status, "%s: %s", name, text)
	}
}
