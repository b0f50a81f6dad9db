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
		{"", "", "begins with"},
		{"posts/{id}", "", "begins with"},
		{"//evil.example/{id}", "", "begins with one"},
		{"javascript:alert({id})", "", "begins with"},
		{"/posts/{id", "", "without its }"},
		{"/posts/id}", "", "without its {"},
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
