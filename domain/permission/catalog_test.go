package permission

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCatalogRefusesFaultyDeclarations(t *testing.T) {
	t.Parallel()
	moderator := func(permission, dependsOn, family string) Declared {
		return Declared{Moderator, "forum", "posts", permission, dependsOn, family}
	}
	cases := map[string]struct {
		declared, generated []Declared
		want                string
	}{
		"declared twice": {
			declared: []Declared{moderator("can_pin", "", ""), moderator("can_pin", "", "forum.category")},
			want:     "moderator permission forum:posts:can_pin is declared twice",
		},
		"a scoped admin permission": {
			declared: []Declared{{Admin, "forum", "settings", "can_edit", "", "forum.category"}},
			want:     "admin permissions cannot be scoped",
		},
		"a dependency nobody declares": {
			declared: []Declared{moderator("can_pin", "can_fly", "")},
			want:     `depends on "can_fly"`,
		},
		"a dependency in another module": {
			declared: []Declared{moderator("can_pin", "can_edit", ""), {Moderator, "forum", "topics", "can_edit", "", ""}},
			want:     `depends on "can_edit"`,
		},
		"a circle": {
			declared: []Declared{moderator("can_pin", "can_lock", ""), moderator("can_lock", "can_pin", "")},
			want:     "forum:posts:can_lock: depends on itself",
		},
		"a dependency in another family": {
			declared: []Declared{moderator("can_pin", "", "forum.section"), moderator("can_lock", "can_pin", "forum.category")},
			want:     "its scope family forum.category differs",
		},
		"a name with a colon": {
			declared: []Declared{moderator("can:pin", "", "")},
			want:     "need a name without colon",
		},
		"no module": {
			declared: []Declared{{Moderator, "forum", "", "can_pin", "", ""}},
			want:     "need a name without colon",
		},
		"an unknown kind": {
			declared: []Declared{{"owner", "forum", "posts", "can_pin", "", ""}},
			want:     "neither admin nor moderator",
		},
		"two targets of a module in different families": {
			generated: append(Generated("forum", "posts", "forum.category", false), Generated("forum", "posts", "", false)...),
			want:      "different scope families (forum.category and none)",
		},
	}
	for name, c := range cases {
		_, err := NewCatalog(c.declared, c.generated)
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestCatalogGivesEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	_, err := NewCatalog([]Declared{
		{Moderator, "forum", "posts", "can_pin", "can_fly", ""},
		{Admin, "forum", "settings", "can_edit", "", "forum.category"},
	}, nil)
	require.ErrorContains(t, err, "can_fly")
	require.ErrorContains(t, err, "cannot be scoped")
}

func TestTargetsShareTheGeneratedPermissionsOfAModule(t *testing.T) {
	t.Parallel()
	c, err := NewCatalog(nil, append(
		Generated("forum", "posts", "forum.category", false),
		Generated("forum", "posts", "forum.category", true)...))
	require.NoError(t, err)

	hide, ok := c.Find(Moderator, "forum", "posts", Hide)
	require.True(t, ok)
	require.Equal(t, Declared{Moderator, "forum", "posts", Hide, ViewHidden, "forum.category"}, hide)
}

func TestTargetThatCannotBeHiddenBringsNoHiding(t *testing.T) {
	t.Parallel()
	c, err := NewCatalog(nil, Generated("forum", "profiles", "", false))
	require.NoError(t, err)
	_, ok := c.Find(Moderator, "forum", "profiles", ManageReports)
	require.True(t, ok)
	_, ok = c.Find(Moderator, "forum", "profiles", ViewHidden)
	require.False(t, ok)
}

func TestDeclaredModuleWinsOverTheGeneratedOne(t *testing.T) {
	t.Parallel()
	c, err := NewCatalog(
		[]Declared{{Moderator, "forum", "posts", ViewReports, "", ""}, {Admin, "forum", "topics", "can_sort", "", ""}},
		append(Generated("forum", "posts", "forum.category", true), Generated("forum", "topics", "", false)...))
	require.NoError(t, err)

	_, ok := c.Find(Moderator, "forum", "posts", Hide)
	require.False(t, ok, "the plugin's own module is taken whole")
	_, ok = c.Find(Moderator, "forum", "topics", ViewReports)
	require.True(t, ok, "an admin module of the name is another module")
}

func TestListing(t *testing.T) {
	t.Parallel()
	c, err := NewCatalog(
		[]Declared{{Admin, "forum", "settings", "can_edit", "", ""}},
		Generated("forum", "posts", "forum.category", false))
	require.NoError(t, err)

	listing := c.Listing()
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
	c, err := NewCatalog(nil, nil)
	require.NoError(t, err)
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
