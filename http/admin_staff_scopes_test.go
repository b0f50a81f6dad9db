package http_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// resourceIDs are the ids of a list of resources or families.
func resourceIDs(resources any) (ids []string) {
	for _, r := range resources.([]any) {
		ids = append(ids, r.(map[string]any)["id"].(string))
	}
	return ids
}

func TestScopeResources(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	const path = "/admin/staff/scope-resources/forum.category?"
	first := b.root.get(path + "limit=2").status(200).body
	require.Equal(t, []string{"general", "offtopic"}, resourceIDs(first["items"]))
	require.Equal(t, map[string]any{"id": "general", "label": "General", "context": []any{"Community"}}, first["items"].([]any)[0])
	last := b.root.get(path + "limit=2&cursor=" + first["nextCursor"].(string)).status(200).body
	require.Equal(t, []string{"support"}, resourceIDs(last["items"]))
	require.Nil(t, last["nextCursor"])
	for query, want := range map[string][]string{"search=topic": {"offtopic"}, "limit=1000": {"general", "offtopic", "support"}, "ids=support,gone,general": {"support", "general"}} {
		require.Equal(t, want, resourceIDs(b.root.get(path + query).status(200).body["items"]), query)
	}
	require.Equal(t, map[string]any{"items": []any{}, "missing": []any{}}, b.root.undescribed("GET", path+"ids=", "", nil).status(200).body)
	require.Equal(t, []any{"gone"}, b.root.get(path + "ids=support,gone,general").body["missing"])
	for name, query := range map[string]string{"a limit of none": "limit=0", "a limit of no number": "limit=x", "ids of no form": "ids=general,-x", "an empty id": "ids=general,",
		"ids twice": "ids=general&ids=support", "a limit twice": "limit=1&limit=2", "ids with a search": "ids=general&search=x",
		"more ids than fit": "ids=a" + strings.Repeat(",a", permission.MaxIDsPerGrant), "a search that is no text": "search=%00"} {
		require.Equal(t, 400, b.root.get(path+query).code, name)
	}
	for _, family := range []string{"forum", "forum.category%00", "a%2Fb"} {
		b.root.get("/admin/staff/scope-resources/" + family).status(404)
	}
}

func TestTheCatalogListsEachPlugin(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	var listing []permission.PluginPermissions
	require.NoError(t, json.Unmarshal(b.root.get("/admin/staff/permissions").status(200).raw, &listing))
	require.Len(t, listing, 3)
	require.Equal(t, permission.CorePlugin, listing[0].PluginID)
	for _, p := range listing {
		if p.PluginID == "forum" {
			require.Len(t, p.Moderator["posts"], 11)
		}
	}
}

func TestOwnPermissions(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	for name, c := range map[string]struct {
		as   *client
		root bool
	}{
		"member":                 {b.member(0), false},
		"empty entry":            {b.holding(permission.Moderator, "Mia"), false},
		"unrestricted moderator": {b.root, true},
	} {
		require.Equal(t, map[string]any{"root": c.root, "permissions": []any{}}, c.as.get("/users/permissions").status(200).body, name)
	}
}

func TestOwnScopes(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	scoped := b.holding(permission.Moderator, "Sam", viewPosts(inCategory("general")), viewPosts(inCategory("support")))
	whole := b.holding(permission.Moderator, "Wim", viewPosts(&scope.Scope{Family: "forum.category", Mode: scope.All}))
	unscoped := b.holding(permission.Moderator, "Una", permission.Grant{Plugin: "forum", Module: "profiles", Permission: permission.ViewReports})

	require.JSONEq(t, `{"items": [{
		"id": "forum.category", "label": "forum.category", "description": "forum.category.description", "all": false, "nextCursor": null,
		"resources": [{"id": "general", "label": "General", "context": ["Community"]}, {"id": "support", "label": "Support", "context": ["Help"]}]
	}]}`, string(scoped.get("/moderation/scopes").status(200).raw))
	families := func(as *client, query string) (found []map[string]any) {
		t.Helper()
		for _, f := range as.get("/moderation/scopes" + query).status(200).body["items"].([]any) {
			found = append(found, f.(map[string]any))
		}
		return found
	}
	all := families(whole, "")
	require.Len(t, all, 1, "one family is within the grants, and one is not")
	require.Equal(t, true, all[0]["all"])
	require.Len(t, all[0]["resources"], 3)
	require.Len(t, families(b.root, ""), 2, "unrestricted: every family")
	require.Empty(t, families(unscoped, ""))
	require.Equal(t, []string{"support"}, resourceIDs(families(scoped, "?search=SUPP")[0]["resources"]))
	require.Empty(t, families(scoped, "?family=blog.section"))
	page := families(whole, "?family=forum.category&limit=2")
	require.Len(t, page[0]["resources"], 2)
	next := families(whole, "?family=forum.category&cursor="+page[0]["nextCursor"].(string))
	require.Equal(t, []string{"support"}, resourceIDs(next[0]["resources"]))
	whole.get("/moderation/scopes?cursor=x").status(400)
}

// Given a family that cannot be listed, then whoever may see another family too gets that one,
// and the name of the one that is missing.
func TestOwnScopesWithoutOneFamily(t *testing.T) {
	t.Parallel()
	b := newStaffBundle(t)
	whole := b.holding(permission.Moderator, "Wim", permission.Grant{Plugin: "blog", Module: "pages", Permission: permission.ViewReports,
		Scope: &scope.Scope{Family: "blog.section", Mode: scope.All}})
	for name, fault := range map[string]func() error{
		"no answer": func() error { return domain.Errorf(domain.CodeUnavailable, "The platform does not answer.") },
		"a panic":   func() error { panic("no") },
		"a nil of an error's type, whose text panics": func() error { return (*fs.PathError)(nil) },
	} {
		b.fault.Store(&fault)
		answer := b.root.get("/moderation/scopes").status(200).body
		require.Equal(t, []string{"forum.category"}, resourceIDs(answer["items"]), name)
		require.Equal(t, []any{"blog.section"}, answer["missing"], name)
		require.Equal(t, 503, whole.get("/moderation/scopes").code, name)
		require.Equal(t, 503, b.root.get("/moderation/scopes?family=blog.section").code, name)
	}
}
