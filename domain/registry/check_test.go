package registry_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// Each fault of meaning in the sound manifest with one piece replaced.
func TestFaultsOfMeaning(t *testing.T) {
	t.Parallel()
	const (
		reports = "    reports: true"
		api     = `    publicApi: {path: posts, fields: [title, body], url: "/forum/posts/{id}"}` + "\n"
	)
	tests := []struct{ name, old, new, faults string }{
		{"no id", "id: forum\n", "", `a.yaml:1: id: "" is not a valid plugin id: it must consist of at most 64 lowercase letters, digits, - and _ and begin with a letter`},
		{"no type id", "  - id: forum.post\n    label", "  - label", `a.yaml:3: contentTypes[0].id: "" is not a valid id of a content type, such as forum.post`},
		{"a type id without dot", "id: forum.post\n", "id: post\n", `a.yaml:3: contentTypes[0].id: "post" is not a valid id of a content type, such as forum.post`},
		{"no label", "    label: forum.post\n", "", `a.yaml:3: contentTypes[0].label: a type that can be reported needs a label`},
		{"no module", "    permissionModule: posts\n", "", `a.yaml:3: contentTypes[0].permissionModule: a type that can be reported needs a moderator module; "" is not a valid name`},
		{"a module with a colon", "permissionModule: posts", "permissionModule: 'a:b'", `a.yaml:5: contentTypes[0].permissionModule: a type that can be reported needs a moderator module; "a:b" is not a valid name`},
		{"no table", "    table: forum_posts\n", "", `a.yaml:3: contentTypes[0].table: a table is needed`},
		{"no key", "    key: {column: id, kind: bigint}\n", "", "a.yaml:3: contentTypes[0].key.column: a column is needed\n" +
			`a.yaml:3: contentTypes[0].key.kind: the kind of a key must be bigint, uuid or text, not ""`},
		{"no field kind", "title:    {kind: text}", "title:    {}", `a.yaml:9: contentTypes[0].fields.title.kind: there is no field kind ""; the kinds are text, textarea, richText, slug, number, boolean, enum, dateTime, file, user, relation, json`},
		{"no published value", "published: {column: status, value: published}", "published: {column: status}", `a.yaml:14: contentTypes[0].published: the option "value" is missing`},
		{"neither published column nor value", "published: {column: status, value: published}", "published: {}", `a.yaml:14: contentTypes[0].published: the option "value" is missing` + "\n" +
			`a.yaml:14: contentTypes[0].published.column: a column is needed`},
		{"no hidden at", "hidden: {at: hidden_at, by: hidden_by}", "hidden: {by: hidden_by}", `a.yaml:15: contentTypes[0].hidden.at: a column is needed`},
		{"authors without column", "authors: {column: author_id}", "authors: {}", `a.yaml:12: contentTypes[0].authors: the option "column" is missing`},
		{"no default locale", "locale: {column: locale, default: en}", "locale: {column: locale}", `a.yaml:16: contentTypes[0].locale.default: "" is not a valid locale, such as en`},
		{"a fallback of its own", "default: en}", "default: en, fallback: any}", `a.yaml:16: contentTypes[0].locale.fallback: the fallback must be default or none, not "any"`},
		{"translations without key", "locale: {column: locale,", "locale: {table: t, column: locale,", `a.yaml:16: contentTypes[0].locale.key: a column is needed`},
		{"a key without translations", "locale: {column: locale,", "locale: {key: k, column: locale,", `a.yaml:16: contentTypes[0].locale.key: a key needs a table of translations`},

		{"no public API", api, "", `a.yaml:19: contentTypes[0].reports: reports need a public API, and the content type has none`},
		{"reports.enabled", reports, "    reports: {enabled: false}", `a.yaml:20: contentTypes[0].reports.enabled: reports.enabled is not an option: reports: true, or an object, enables reporting, and reports: false disables it`},
		{"an unknown option of reports", reports, "    reports: {titelField: title}", `a.yaml:20: contentTypes[0].reports.titelField: unknown option "titelField"; did you mean "titleField"?`},
		{"reports of another type", reports, "    reports: 1", `a.yaml:20: contentTypes[0].reports: this must be true, false, or an object of titleField and snapshotFields, not a number`},
		{"a title that does not exist", reports, "    reports: {titleField: headline}", `a.yaml:20: contentTypes[0].reports.titleField: there is no field "headline"`},
		{"a title of another kind", reports, "    reports: {titleField: body}", `a.yaml:20: contentTypes[0].reports.titleField: "body" is of kind richText; a title must be a text, textarea or slug field`},
		{"a snapshot field that does not exist", reports, "    reports: {snapshotFields: [title, text]}", `a.yaml:20: contentTypes[0].reports.snapshotFields[1]: there is no field "text"`},
		{"a snapshot field twice", reports, "    reports: {snapshotFields: [title, title]}", `a.yaml:20: contentTypes[0].reports.snapshotFields[1]: the field "title" is named twice`},
		{"a public field that does not exist", "fields: [title, body]", "fields: [titel]", `a.yaml:17: contentTypes[0].publicApi.fields[0]: there is no field "titel"`},
		{"a path of two segments", "path: posts", "path: a/b", `a.yaml:17: contentTypes[0].publicApi.path: "a/b" is not a valid path: it must be one segment of lowercase letters, digits, - and _, such as posts`},
		{"an address of a field that is not public", "posts/{id}", "posts/{category}", `a.yaml:17: contentTypes[0].publicApi.url: {category} is neither {id}, {locale} nor a public field of kind text, textarea, slug, number or enum`},
		{"an admin title that does not exist", "admin: {titleField: title}", "admin: {titleField: name}", `a.yaml:18: contentTypes[0].admin.titleField: there is no field "name"`},

		// Scopes and permissions.
		{"an undeclared family", "family: forum.category}", "family: forum.categry}", `a.yaml:19: contentTypes[0].moderationScope.family: no plugin declares the scope family "forum.categry"; did you mean "forum.category"?`},
		{"a family in capitals", "{id: forum.category,", "{id: Forum,", `a.yaml:19: contentTypes[0].moderationScope.family: no plugin declares the scope family "forum.category"` + "\n" +
			`a.yaml:23: moderation.scopes[0].id: "Forum" is not a valid id of a scope family: it must be lowercase and dot separated` + "\n" +
			`a.yaml:25: permissions.moderator.posts[0].scope: no plugin declares the scope family "forum.category"`},
		{"a permission of an undeclared family", "can_pin, scope: forum.category", "can_pin, scope: forum.tag", `a.yaml:25: permissions.moderator.posts[0].scope: no plugin declares the scope family "forum.tag"`},
		{"a scoped admin permission", "[can_edit]", "[{permission: can_edit, scope: forum.category}]", `a.yaml:26: permissions.admin.settings[0].scope: admin permissions cannot be scoped`},
		{"a permission twice", "[can_edit]", "[can_edit, can_edit]", `a.yaml:26: permissions.admin.settings[1].permission: the permission "can_edit" is declared twice in its module`},
		{"an unknown dependency", "[can_edit]", "[{permission: can_edit, dependsOn: can_view}]", `a.yaml:26: permissions.admin.settings[0].dependsOn: its module declares no permission "can_view"`},
		{"a circle", "[can_edit]", "[{permission: a, dependsOn: b}, {permission: b, dependsOn: a}]", "a.yaml:26: permissions.admin.settings[0].dependsOn: the permission depends on itself\n" +
			"a.yaml:26: permissions.admin.settings[1].dependsOn: the permission depends on itself"},
		{"a dependency of another family", "section]}\npermissions:\n  moderator: {posts: [{permission: can_pin, scope: forum.category}",
			"section]}\n    - {id: forum.tag, label: t, table: t, idColumn: i, labelColumn: l}\npermissions:\n  moderator: {posts: [{permission: can_pin, scope: forum.category}, {permission: a, dependsOn: can_pin, scope: forum.tag}",
			`a.yaml:26: permissions.moderator.posts[1].scope: it is of the family "forum.tag", and can_pin, which it depends on, is of "forum.category"`},
		{"a permission with a colon", "[can_edit]", "['a:b']", `a.yaml:26: permissions.admin.settings[0].permission: "a:b" is not a valid permission name`},
		{"messages of no locale", "  en: {", "  '1': {", `a.yaml:28: messages.1: "1" is not a valid locale, such as en`},
	}
	for _, test := range tests {
		require.Contains(t, sound, test.old, test.name)
		require.Equal(t, test.faults, faultsOf(t, strings.Replace(sound, test.old, test.new, 1)), test.name)
	}
}

func TestSnapshotsHoldOnlyTheirKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"text", "textarea", "richText", "slug", "number", "boolean", "enum", "dateTime", "file", "user", "relation", "json"} {
		manifest := strings.Replace(sound, "category: {kind: text,", "category: {kind: "+kind+",", 1)
		got := faultsOf(t, strings.Replace(manifest, "reports: true", "reports: {snapshotFields: [category]}", 1))
		if kind == "user" || kind == "relation" || kind == "json" {
			require.Equal(t, `a.yaml:20: contentTypes[0].reports.snapshotFields[0]: "category" is of kind `+kind+`, which a snapshot cannot hold`, got)
		} else {
			require.Empty(t, got, kind)
		}
	}
}

func TestIDsUsedTwice(t *testing.T) {
	t.Parallel()
	require.Equal(t, `b.yaml:1: id: the plugin id "forum" is used twice; first in a.yaml:1
b.yaml:3: contentTypes[0].id: the content type "forum.post" is used twice; first in a.yaml:3
b.yaml:17: contentTypes[0].publicApi.path: the public path "forum/posts" is used twice; first in a.yaml:17
b.yaml:23: moderation.scopes[0].id: the scope family "forum.category" is used twice; first in a.yaml:23`, faultsOf(t, sound, sound))
}

func TestPluginsShareFamiliesAndMessages(t *testing.T) {
	t.Parallel()
	const other = `id: gallery
contentTypes:
  - {id: gallery.picture, table: pictures, key: {column: id, kind: uuid}, fields: {a: {kind: text}}, moderationScope: {column: c, family: forum.category}}
messages: {en: {%s}}
`
	require.Empty(t, faultsOf(t, strings.Replace(other, "%s", "gallery.x: y", 1), sound), "whichever comes first")
	require.Equal(t, "b.yaml:4: messages.en.forum.post: another plugin declares a different text for this message",
		faultsOf(t, sound, strings.Replace(other, "%s", "forum.post: pin", 1)))
}

func TestModulesOfTwoFamilies(t *testing.T) {
	t.Parallel()
	second := `  - id: forum.note
    label: forum.note
    permissionModule: posts
    table: notes
    key: {column: id, kind: uuid}
    fields: {a: {kind: text}}
    publicApi: {path: notes, fields: [a], url: "/{id}"}
    reports: true
moderation:
`
	manifest := strings.Replace(sound, "moderation:\n", second, 1)
	require.Empty(t, faultsOf(t, manifest), "the plugin declares the module itself")
	manifest = strings.Replace(manifest, "moderator: {posts:", "moderator: {others:", 1)
	require.Equal(t, `a.yaml:23: contentTypes[1].permissionModule: the module "posts" is shared with contentTypes[0], whose scope is forum.category and not none`, faultsOf(t, manifest))
}

func wholeTarget() target.Definition {
	return target.Definition{
		Type: "forum.profile", Label: "forum.profile", PermissionModule: "profiles", ScopeFamily: "forum.category",
		ParseID:      func(v string) (string, bool) { return v, true },
		Capture:      func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) { return nil, nil },
		Current:      func(context.Context, string, string) (*target.State, error) { return nil, nil },
		ResolveScope: func(context.Context, string) (string, bool, error) { return "", false, nil },
		Actions: []target.Action{{Name: target.Hide, Permission: permission.Hide, Available: func(target.State) bool { return true },
			Run: func(context.Context, target.ActionRequest) (target.ActionResult, error) {
				return target.ActionResult{}, nil
			}}},
	}
}

func wholeScope() scope.Definition {
	return scope.Definition{ID: "forum.category", Label: "forum.category",
		List: func(context.Context, scope.Query) ([]scope.Item, string, error) { return nil, "", nil },
		Find: func(context.Context, []string) ([]scope.Item, error) { return nil, nil }}
}

func TestTargetsAndScopesInGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*target.Definition, *scope.Definition)
		faults string
	}{
		{"sound", func(*target.Definition, *scope.Definition) {}, ""},
		{"nothing", func(d *target.Definition, s *scope.Definition) { *d, *s = target.Definition{}, scope.Definition{} },
			`plugin forum: Scopes[0].ID: "" is not a valid id of a scope family: it must be lowercase and dot separated
plugin forum: Scopes[0].Label: a scope family needs a label
plugin forum: Scopes[0].List: a scope family needs its list function
plugin forum: Scopes[0].Find: a scope family needs its find function
plugin forum: Targets[0].Type: "" is not a valid type of a report target, such as forum.profile
plugin forum: Targets[0].Label: a report target needs a label
plugin forum: Targets[0].PermissionModule: a report target needs a moderator module; "" is not a valid name
plugin forum: Targets[0].ParseID: a report target needs its parseId function
plugin forum: Targets[0].Capture: a report target needs its capture function
plugin forum: Targets[0].Current: a report target needs its current function`},
		{"measures by no function", func(d *target.Definition, _ *scope.Definition) { d.People = &target.People{} },
			"plugin forum: Targets[0].People: a target that carries out measures needs their impose and end functions"},
		{"no resolveScope", func(d *target.Definition, _ *scope.Definition) { d.ResolveScope = nil },
			"plugin forum: Targets[0].ResolveScope: a target with a scope needs its resolveScope function"},
		{"no scope", func(d *target.Definition, _ *scope.Definition) { d.ScopeFamily = "" },
			"plugin forum: Targets[0].ScopeFamily: a target that resolves its scope needs a scope family"},
		{"another family", func(d *target.Definition, _ *scope.Definition) { d.ScopeFamily = "forum.tag" },
			`plugin forum: Targets[0].ScopeFamily: no plugin declares the scope family "forum.tag"`},
		{"another plugin", func(d *target.Definition, _ *scope.Definition) { d.PluginID = "wiki" },
			`plugin forum: Targets[0].PluginID: the target belongs to plugin "wiki"`},
		{"actions", func(d *target.Definition, _ *scope.Definition) {
			d.Actions = append(d.Actions, d.Actions[0], target.Action{Name: "burn"})
		}, `plugin forum: Targets[0].Actions[1].Name: the action "hide" is given twice
plugin forum: Targets[0].Actions[2].Name: an action must be hide or unhide, not "burn"
plugin forum: Targets[0].Actions[2].Permission: an action needs a permission; "" is not a valid name
plugin forum: Targets[0].Actions[2].Available: an action needs its available function
plugin forum: Targets[0].Actions[2].Run: an action needs its run function`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d, s := wholeTarget(), wholeScope()
			test.change(&d, &s)
			p := &registry.Declaration{Plugin: plugin.Plugin{ID: "forum", Targets: []target.Definition{d}, Scopes: []scope.Definition{s}}}
			registered, err := registry.Register(t.Context(), registry.Deps{}, p)
			if test.faults != "" {
				require.EqualError(t, err, test.faults)
				require.Nil(t, registered)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "forum", registered.Targets.Find("forum", "forum.profile").PluginID)
			require.NotNil(t, registered.Scopes.Find("forum.category"))
			hide, ok := registered.Permissions.Find(permission.Moderator, "forum", "profiles", permission.Hide)
			require.True(t, ok)
			require.Equal(t, "forum.category", hide.Scope)
		})
	}
}

func TestPermissionsThatOnlyActionsNeedAreGenerated(t *testing.T) {
	t.Parallel()
	d, s := wholeTarget(), wholeScope()
	d.Actions[0].Permission = "can_redact"
	registered, err := registry.Register(t.Context(), registry.Deps{},
		&registry.Declaration{Plugin: plugin.Plugin{ID: "forum", Targets: []target.Definition{d}, Scopes: []scope.Definition{s}}})
	require.NoError(t, err)
	redact, ok := registered.Permissions.Find(permission.Moderator, "forum", "profiles", "can_redact")
	require.True(t, ok)
	require.Equal(t, permission.Declared{Kind: permission.Moderator, Plugin: "forum", Module: "profiles", Permission: "can_redact",
		DependsOn: permission.ManageReports, Scope: "forum.category"}, redact)
}

func TestTablesNeedSomebodyToReadThem(t *testing.T) {
	t.Parallel()
	_, err := registry.Register(t.Context(), registry.Deps{}, registry.ParseManifest("forum.yaml", []byte(sound)))
	require.ErrorContains(t, err, "content types need Deps.Content")
}
