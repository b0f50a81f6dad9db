package registry_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
)

// sound is a manifest with every option.
const sound = `id: forum
contentTypes:
  - id: forum.post
    label: forum.post
    permissionModule: posts
    table: forum_posts
    key: {column: id, kind: bigint}
    fields:
      title:    {kind: text}
      body:     {kind: richText}
      category: {kind: text, column: category_id}
    authors: {column: author_id}
    revision: {version: version, updatedAt: updated_at, publishedAt: published_at}
    published: {column: status, value: published}
    hidden: {at: hidden_at, by: hidden_by}
    locale: {column: locale, default: en}
    publicApi: {path: posts, fields: [title, body], url: "/forum/posts/{id}"}
    admin: {titleField: title}
    moderationScope: {column: category_id, family: forum.category}
    reports: true
moderation:
  scopes:
    - {id: forum.category, label: forum.category, table: forum_categories, idColumn: id, labelColumn: name, contextColumns: [section]}
permissions:
  moderator: {posts: [{permission: can_pin, scope: forum.category}]}
  admin: {settings: [can_edit]}
messages:
  en: {forum.post: "{count, plural, one {post} other {posts}}"}
`

// A manifest and a declaration in Go make the same thing.
func TestManifestIsTheDeclaration(t *testing.T) {
	t.Parallel()
	p := registry.ParseManifest("forum.yaml", []byte(sound))
	require.NoError(t, registry.Check(p))
	require.Equal(t, "forum", p.ID)
	require.Equal(t, []content.Type{{
		ID: "forum.post", Label: "forum.post", PermissionModule: "posts", Table: "forum_posts",
		Key: content.Key{Column: "id", Kind: content.KeyBigint},
		Fields: []content.Field{
			{Name: "title", Kind: content.Text}, {Name: "body", Kind: content.RichText},
			{Name: "category", Kind: content.Text, Column: "category_id"},
		},
		AuthorColumn: "author_id",
		Revision:     content.Revision{Version: "version", UpdatedAt: "updated_at", PublishedAt: "published_at"},
		Published:    &content.Published{Column: "status", Value: "published"},
		Hidden:       &content.Hidden{At: "hidden_at", By: "hidden_by"},
		Locale:       &content.Locale{Column: "locale", Default: "en"},
		PublicAPI:    &content.PublicAPI{Path: "posts", Fields: []string{"title", "body"}, URL: "/forum/posts/{id}"},
		AdminTitle:   "title",
		Scope:        &content.Scope{Column: "category_id", Family: "forum.category"},
		Reports:      &content.Reports{},
	}}, p.ContentTypes)
	require.Equal(t, []content.Family{{ID: "forum.category", Label: "forum.category", Table: "forum_categories",
		IDColumn: "id", LabelColumn: "name", ContextColumns: []string{"section"}}}, p.Families)
	require.Equal(t, []plugin.Permission{
		{Kind: permission.Moderator, Module: "posts", Permission: "can_pin", Scope: "forum.category"},
		{Kind: permission.Admin, Module: "settings", Permission: "can_edit"},
	}, p.Permissions)
	require.Equal(t, "{count, plural, one {post} other {posts}}", p.Messages["en"]["forum.post"])

	declared := &registry.Declaration{Plugin: plugin.Plugin{ID: p.ID, ContentTypes: p.ContentTypes, Families: p.Families, Permissions: p.Permissions, Messages: p.Messages}}
	require.NoError(t, registry.Check(declared))
}

// YAML has several ways to write a boolean, and the database has one.
func TestPublishedValue(t *testing.T) {
	t.Parallel()
	for written, value := range map[string]string{"true": "true", "True": "true", "FALSE": "false", "'True'": "True", "yes": "yes", "1": "1", "published": "published"} {
		manifest := strings.Replace(sound, "value: published", "value: "+written, 1)
		p := registry.ParseManifest("forum.yaml", []byte(manifest))
		require.NoError(t, registry.Check(p))
		require.Equal(t, value, p.ContentTypes[0].Published.Value, written)
	}
}

func TestReportsOption(t *testing.T) {
	t.Parallel()
	tests := []struct {
		option string
		want   *content.Reports
	}{
		{"", nil},
		{"reports: false", nil},
		{"reports: true", &content.Reports{}},
		{"reports: {}", &content.Reports{}},
		{"reports: {titleField: body}", &content.Reports{TitleField: "body"}},
		{"reports: {snapshotFields: []}", &content.Reports{SnapshotFields: []string{}}},
		{"reports: {snapshotFields: [title]}", &content.Reports{SnapshotFields: []string{"title"}}},
	}
	for _, test := range tests {
		p := registry.ParseManifest("x", []byte(strings.Replace(sound, "reports: true", test.option, 1)))
		require.Equal(t, test.want, p.ContentTypes[0].Reports, test.option)
	}
}

// faultsOf checks the manifest and gives its faults, one a line.
func faultsOf(t *testing.T, manifests ...string) string {
	t.Helper()
	var plugins []*registry.Declaration
	for i, m := range manifests {
		plugins = append(plugins, registry.ParseManifest(fmt.Sprintf("%c.yaml", 'a'+i), []byte(m)))
	}
	err := registry.Check(plugins...)
	if err == nil {
		return ""
	}
	var faults registry.Faults
	require.ErrorAs(t, err, &faults)
	return faults.Error()
}

func TestFaultsOfForm(t *testing.T) {
	t.Parallel()
	aliases := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
	const options = "the options here are id, contentTypes, moderation, permissions, messages, webhooks, remote, remoteTypes, issuer, providers"
	const unknownOptions = `a.yaml:2: a: unknown option "a"; ` + options + "\na.yaml:3: b: unknown option \"b\"; " + options + "\na.yaml:4: c: unknown option \"c\"; " + options
	tests := []struct{ name, manifest, fault string }{
		{"empty", "", "a.yaml:1: the manifest is empty"},
		{"comments alone", "# nothing\n", "a.yaml:1: the manifest is empty"},
		{"no object", "- id\n", "a.yaml:1: this must be an object, not a list"},
		{"text", "forum", "a.yaml:1: this must be an object, not text"},
		{"nothing", "~", "a.yaml:1: this must be an object, not nothing"},
		{"no YAML", "id: forum\n\tx: y", "a.yaml:2: not valid YAML: found a tab character that violates indentation"},
		{"an unclosed bracket", "id: [forum", "a.yaml:1: not valid YAML: did not find expected ',' or ']'"},
		{"an unknown alias", "id: *x", "a.yaml:1: not valid YAML: unknown anchor 'x' referenced"},
		{"two documents", "id: forum\n---\nid: other\n", "a.yaml:2: a manifest must be one document; a second one begins here"},
		{"invalid UTF-8", "id: \"\xff\"", "a.yaml:1: not valid YAML: invalid leading UTF-8 octet"},
		{"U+0000", "id: \"a\\0\"", "a.yaml:1: id: the text contains U+0000 or is not valid UTF-8"},
		{"too large", "id: forum\n#" + strings.Repeat("x", registry.MaxManifest), "a.yaml: the manifest has more than 1048576 bytes"},
		{"an unknown option", "id: forum\ncontenttypes: []\n", `a.yaml:2: contenttypes: unknown option "contenttypes"; did you mean "contentTypes"?`},
		{"an option far from any", "id: forum\nxyzzy: []\n", `a.yaml:2: xyzzy: unknown option "xyzzy"; the options here are id, contentTypes, moderation, permissions, messages, webhooks, remote, remoteTypes, issuer, providers`},
		{"targets cannot be declared in YAML", "id: forum\nmoderation: {reportTargets: []}\n", `a.yaml:2: moderation.reportTargets: unknown option "reportTargets"; the options here are scopes`},
		{"a number for text", "id: 5\n", "a.yaml:1: id: this must be text, not a number"},
		{"a date for text", "id: 2026-01-01\n", "a.yaml:1: id: this must be text, not a date (put it in quotes to make it text)"},
		{"an object for text", "id: {a: b}\n", "a.yaml:1: id: this must be text, not an object"},
		{"empty text", "id: ''\n", "a.yaml:1: id: this must not be empty"},
		{"an object for a list", "id: forum\ncontentTypes: {}\n", "a.yaml:2: contentTypes: this must be a list, not an object"},
		{"text for an object", "id: forum\nmoderation: yes\n", "a.yaml:2: moderation: this must be an object, not text"},
		{"a key twice", "id: forum\nmessages: {}\nid: other\n", `a.yaml:3: id: "id" is given twice; first in line 1`},
		{"a message twice", "id: forum\nmessages:\n  en:\n    a: x\n    a: y\n", `a.yaml:5: messages.en.a: "a" is given twice; first in line 4`},
		{"a number for a name", "id: forum\n5: x\n", `a.yaml:2: the name of an option must be text, not "5"`},
		{"a list for a name", "id: forum\n? [a]\n: x\n", "a.yaml:2: the name of an option must be text, not a list or an object"},
		{"a merge key", "id: forum\n<<: {messages: {}}\n", `a.yaml:2: the name of an option must be text, not a merge key ("<<")`},
		{"a wrong name hides nothing beside it", "id: Forum\n5: x\nwebhooks: [{name: W, 6: x, url: 'https://a.test', secretEnv: S}]\n",
			`a.yaml:1: id: "Forum" is not a valid plugin id: it must consist of at most 64 lowercase letters, digits, - and _ and begin with a letter` + "\n" +
				`a.yaml:2: the name of an option must be text, not "5"` + "\n" +
				`a.yaml:3: webhooks[0]: the name of an option must be text, not "6"` + "\n" +
				`a.yaml:3: webhooks[0].name: "W" is not a valid webhook name: it must consist of lowercase letters, digits, dots, - and _`},
		{"a name twice hides nothing of the first", "id: Forum\nid: forum\n",
			`a.yaml:1: id: "Forum" is not a valid plugin id: it must consist of at most 64 lowercase letters, digits, - and _ and begin with a letter` + "\n" +
				`a.yaml:2: id: "id" is given twice; first in line 1`},
		{"aliases of aliases", "id: forum\n" + aliases, unknownOptions},
		{"an alias bomb", "id: forum\nmessages: {en: &m {" + numbered(500) + "}, " + copies(300) + "}\n", "a.yaml:2: the manifest has more than 100000 values, including those that its aliases repeat"},
		{"an alias of itself", "id: forum\ncontentTypes: &x [*x]\n", "a.yaml:2: contentTypes[0]: this must be an object, not a list"},
	}
	for _, test := range tests {
		require.Equal(t, test.fault, faultsOf(t, test.manifest), test.name)
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: x, ", i)
	}
	return b.String()
}

// copies are locales that all repeat the anchor m.
func copies(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "x%c%c: *m, ", 'a'+i/26, 'a'+i%26)
	}
	return b.String()
}

// What is near is counted in letters, of any script, and not in their bytes.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	known := []string{"Ti tle", "größe", "body"}
	for written, want := range map[string]string{
		"Ti tel": "Ti tle", "grösse": "größe", "Größe": "größe", "bdoy": "body",
		"éééé": "", "éééééé": "", "日本語日本語": "", strings.Repeat("é", 65): "",
	} {
		if want != "" {
			want = "; did you mean \"" + want + "\"?"
		}
		require.Equal(t, want, registry.DidYouMean(written, known), written)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	err := registry.Check(registry.Unreadable("x.yaml", &fs.PathError{Op: "open", Path: "x.yaml", Err: errors.New("gone")}))
	require.EqualError(t, err, "x.yaml: gone")
	require.EqualError(t, registry.Check(registry.Unreadable("", errors.New("no path"))), "no path")
}

// Whatever the bytes, reading and checking them ends, and says what is wrong.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("id: forum\npermissions: {moderator: {x: [{permission: a, dependsOn: a}]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := registry.ParseManifest("fuzz.yaml", data)
		if err := registry.Check(p, registry.ParseManifest("again.yaml", data)); err == nil {
			t.Fatal("one id twice is a fault")
		}
	})
}
