package content_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
)

// everyKind is a type with a public field of each kind, named after it.
func everyKind(reports content.Reports, adminTitle string) content.Type {
	t := content.Type{AdminTitle: adminTitle, PublicAPI: &content.PublicAPI{}, Reports: &reports}
	for _, k := range content.FieldKinds() {
		t.Fields = append(t.Fields, content.Field{Name: string(k), Kind: k})
		t.PublicAPI.Fields = append(t.PublicAPI.Fields, string(k))
	}
	t.Fields = append(t.Fields, content.Field{Name: "secret", Kind: content.Text})
	return t
}

func TestReportFields(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		reports    content.Reports
		adminTitle string
		title      string
		snapshot   []string
	}{
		{"defaults, no admin title", content.Reports{}, "", "", []string{"text", "textarea", "richText", "enum", "file"}},
		{"the admin title, out of the snapshot", content.Reports{}, "text", "text", []string{"textarea", "richText", "enum", "file"}},
		{"an admin title that is not public", content.Reports{}, "secret", "", []string{"text", "textarea", "richText", "enum", "file"}},
		{"an admin title of another kind", content.Reports{}, "enum", "", []string{"text", "textarea", "richText", "enum", "file"}},
		{"a named title", content.Reports{TitleField: "slug"}, "text", "slug", []string{"text", "textarea", "richText", "enum", "file"}},
		{"a named title that is not public", content.Reports{TitleField: "secret"}, "", "secret", []string{"text", "textarea", "richText", "enum", "file"}},
		{"named fields, in their order", content.Reports{SnapshotFields: []string{"secret", "number", "text"}}, "text", "text", []string{"secret", "number", "text"}},
		{"no fields", content.Reports{SnapshotFields: []string{}}, "text", "text", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			typ := everyKind(test.reports, test.adminTitle)
			got := typ.ReportFields()
			var names []string
			for _, f := range got.Snapshot {
				names = append(names, f.Name)
			}
			require.Equal(t, test.title, got.Title.Name)
			require.Equal(t, test.snapshot, names)
		})
	}
}

func TestNoReportsNoFields(t *testing.T) {
	t.Parallel()
	typ := everyKind(content.Reports{}, "text")
	typ.Reports = nil
	require.Equal(t, content.ReportFields{}, typ.ReportFields())
	require.Empty(t, typ.Permissions("shop"))
}

func TestURLTemplate(t *testing.T) {
	t.Parallel()
	known := func(name string) bool { return name == "id" || name == "slug" }
	tests := []struct{ template, want, fault string }{
		{"/forum/posts/{id}", "/forum/posts/a%2Fb%3Fc", ""},
		{"https://example.org/{slug}-{id}#top", "https://example.org/a%2Fb%3Fc-a%2Fb%3Fc#top", ""},
		{"/fixed", "/fixed", ""},
		{"", "", "must begin with"},
		{"posts/{id}", "", "must begin with"},
		{"//evil.example/{id}", "", "must not begin with //"},
		{"javascript:alert({id})", "", "must begin with"},
		{"/posts/{id", "", "no matching }"},
		{"/posts/id}", "", "no matching {"},
		{"/posts/{password}", "", "{password} is neither"},
		{"/posts/{}", "", "{} is neither"},
		{"/po sts", "", "white space"},
		{"/posts\n", "", "white space"},
		{`/\evil.example`, "", "backslash"},
	}
	for _, test := range tests {
		t.Run(test.template, func(t *testing.T) {
			t.Parallel()
			parsed, err := content.ParseURL(test.template, known)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, parsed.Fill(func(string) string { return "a/b?c" }))
		})
	}
}

func TestAddressesThatLeadElsewhereAreNone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, template, id, slug, want string }{
		{"an empty first segment", "/{slug}/loc/{id}", "77", "", ""},
		{"an empty segment", "/loc/{slug}/{id}", "77", "", ""},
		{"an empty last segment", "/loc/{id}", "", "", ""},
		{"an empty segment before a query", "/loc/{id}?all", "", "", ""},
		{"nothing in a segment of two", "/loc/{id}{slug}", "", "", ""},
		{"the folder itself", "/tx/{id}", ".", "", ""},
		{"the folder above", "/tx/{id}", "..", "", ""},
		{"the folder above in two", "/tx/{id}{slug}/x", ".", ".", ""},
		{"the folder above with a text", "/tx/.{id}", ".", "", ""},
		{"a host", "https://{slug}/{id}", "77", "", ""},
		{"three dots", "/tx/{id}", "...", "", "/tx/..."},
		{"part of a segment", "/tx/{id}-{slug}", "77", "", "/tx/77-"},
		{"a query", "/tx?id={id}&up=/{slug}/x", "..", "", "/tx?id=..&up=//x"},
		{"a fragment", "/tx#{slug}", "", "", "/tx#"},
		{"dots of the template", "/a/../{id}", "77", "", "/a/../77"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			parsed, err := content.ParseURL(test.template, func(string) bool { return true })
			require.NoError(t, err)
			require.Equal(t, test.want, parsed.Fill(func(name string) string {
				if name == "id" {
					return test.id
				}
				return test.slug
			}))
		})
	}
}
