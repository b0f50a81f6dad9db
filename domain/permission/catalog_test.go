package permission

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTargetsShareTheGeneratedModuleUnlessThePluginDeclaresIt(t *testing.T) {
	t.Parallel()
	c := NewCatalog(
		[]Declared{{Moderator, "forum", "posts", ViewReports, "", ""}, {Admin, "forum", "topics", "can_sort", "", ""}},
		slices.Concat(Generated("forum", "posts", "forum.category", true), Generated("forum", "profiles", "", false),
			Generated("forum", "topics", "forum.category", false), Generated("forum", "topics", "forum.category", true)))

	for name, want := range map[[2]string]bool{
		{"posts", ViewReports}: true, {"posts", Hide}: false, // the plugin's own module is taken whole
		{"topics", ViewReports}: true, {"topics", Hide}: true, // an admin module of the name is another module
		{"profiles", ManageReports}: true, {"profiles", ViewHidden}: false,
	} {
		_, ok := c.Find(Moderator, "forum", name[0], name[1])
		require.Equal(t, want, ok, "%v", name)
	}
	hide, _ := c.Find(Moderator, "forum", "topics", Hide)
	require.Equal(t, Declared{Moderator, "forum", "topics", Hide, ViewHidden, "forum.category"}, hide)
}

func TestListing(t *testing.T) {
	t.Parallel()
	listing := NewCatalog(
		[]Declared{{Admin, "forum", "settings", "can_edit", "", ""}},
		Generated("forum", "posts", "forum.category", false)).Listing()
	require.Len(t, listing, 2)
	require.Equal(t, CorePlugin, listing[0].PluginID)
	require.Contains(t, listing[0].Admin["staff"], AdminListing{Permission: "can_manage_moderators"})

	got, err := json.Marshal(listing[1])
	require.NoError(t, err)
	require.JSONEq(t, `{
		"pluginId": "forum",
		"admin": {"settings": [{"permission": "can_edit", "dependsOn": null}]},
		"moderator": {"posts": [
			{"permission": "can_view_reports", "dependsOn": null, "scope": "forum.category"},
			{"permission": "can_manage_reports", "dependsOn": "can_view_reports", "scope": "forum.category"},
			{"permission": "can_edit_notes", "dependsOn": "can_manage_reports", "scope": "forum.category"},
			{"permission": "can_delete_notes", "dependsOn": "can_manage_reports", "scope": "forum.category"},
			{"permission": "can_mute_reporters", "dependsOn": "can_view_reports", "scope": "forum.category"},
			{"permission": "can_decide_appeals", "dependsOn": "can_view_reports", "scope": "forum.category"},
			{"permission": "can_impose_measures", "dependsOn": "can_manage_reports", "scope": "forum.category"},
			{"permission": "can_approve", "dependsOn": "can_view_reports", "scope": "forum.category"},
			{"permission": "can_view_quality", "dependsOn": "can_view_reports", "scope": "forum.category"}
		]}
	}`, string(got))
}

func TestAreasAreInTheCatalog(t *testing.T) {
	t.Parallel()
	c := NewCatalog(nil, nil)
	for _, a := range Areas() {
		module, permission := a.split()
		_, ok := c.Find(Admin, CorePlugin, module, permission)
		require.True(t, ok, "%s", a)

		holder := &Entry{Grants: []Grant{{Plugin: CorePlugin, Module: module, Permission: permission}}}
		for _, b := range Areas() {
			require.Equal(t, a == b, holder.MayEnter(b), "%s into %s", a, b)
		}
		require.True(t, (&Entry{Unrestricted: true}).MayEnter(a))
		require.False(t, (*Entry)(nil).MayEnter(a))
	}
}
