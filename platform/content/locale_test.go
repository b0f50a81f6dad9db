package content_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/snapshot"
)

// localised is a manifest whose type has the given locale and fields.
func localised(table, locale string) string {
	return fmt.Sprintf(`
id: shop
contentTypes:
  - id: shop.page
    label: shop.page
    permissionModule: pages
    table: %s
    key: {column: id, kind: bigint}
    fields: {title: {kind: text}, body: {kind: textarea}, code: {kind: slug}}
    hidden: {at: hidden_at}
    locale: %s
    publicApi: {path: pages, fields: [title, body], url: "/{locale}/{title}"}
    admin: {titleField: title}
    reports: true
`, table, locale)
}

const translated = `
	CREATE TABLE pages (id bigint PRIMARY KEY, code text, title text, hidden_at timestamptz);
	CREATE TABLE page_texts (page_id bigint, lang varchar(5), title text, body text, PRIMARY KEY (page_id, lang));
	INSERT INTO pages VALUES (1, 'one', 'of the base'), (2, 'two', 'of the base'), (3, 'three', 'of the base');
	INSERT INTO page_texts VALUES (1, 'en', 'House', 'A house'), (1, 'de', 'Haus', 'Ein Haus'), (2, 'de', 'Baum', 'Ein Baum');`

func TestLocales(t *testing.T) {
	t.Parallel()
	const rows = `
		CREATE TABLE pages (id bigint, lang text, code text, title text, body text, hidden_at timestamptz);
		INSERT INTO pages VALUES (1, 'en', 'one', 'House', 'A house'), (1, 'de', 'one', 'Haus', 'Ein Haus'), (2, 'de', 'two', 'Baum', 'Ein Baum');`
	table := func(fallback string) string {
		return "{table: page_texts, key: page_id, column: lang, default: en" + fallback + "}"
	}
	type read struct{ id, asked, served, title string } // served "" is null
	tests := []struct {
		name, tables, locale string
		reads                []read
	}{
		{"translations with a fallback", translated, table(""), []read{
			{"1", "de", "de", "Haus"}, {"1", "en", "en", "House"}, {"1", "fr", "en", "House"}, {"1", "", "en", "House"},
			{"2", "de", "de", "Baum"}, {"2", "en", "", ""}, {"2", "fr", "", ""}, {"3", "en", "", ""}, {"4", "en", "", ""},
		}},
		{"translations without a fallback", translated, table(", fallback: none"), []read{
			{"1", "de", "de", "Haus"}, {"1", "fr", "", ""}, {"2", "en", "", ""}, {"2", "de", "de", "Baum"},
		}},
		{"a column", rows, "{column: lang, default: en}", []read{
			{"1", "de", "de", "Haus"}, {"1", "fr", "en", "House"}, {"1", "", "en", "House"},
			{"2", "en", "de", "Baum"}, {"2", "fr", "de", "Baum"}, {"3", "en", "", ""},
		}},
		{"a column beside a key of type integer", strings.Replace(rows, "id bigint", "id integer", 1), "{column: lang, default: en}", []read{
			{"1", "de", "de", "Haus"}, {"2", "en", "de", "Baum"}, {"3", "en", "", ""},
		}},
		{"a column without a fallback", rows, "{column: lang, default: en, fallback: none}", []read{
			{"1", "de", "de", "Haus"}, {"1", "fr", "", ""}, {"2", "en", "", ""},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, test.tables, localised("pages", test.locale))
			reader := b.Content[0].Reader
			for _, r := range test.reads {
				c := b.capture("shop.page", r.id, r.asked)
				item, err := reader.Item(t.Context(), r.id, r.asked, content.HiddenAccess{})
				require.NoError(t, err)
				page, err := reader.Items(t.Context(), reader.List().First(10), r.asked, content.HiddenAccess{})
				require.NoError(t, err)
				listed := ""
				for _, i := range page.Edges {
					if i.ID == r.id {
						require.Empty(t, listed, "each record once")
						listed = i.Locale
					}
				}
				require.Equal(t, r.served, listed)
				if r.served == "" {
					require.Nil(t, c, "%+v", r)
					require.Nil(t, item)
					continue
				}
				require.NotNil(t, c, "%+v", r)
				require.Equal(t, []string{r.served, r.title}, []string{c.Served, c.Title})
				require.Equal(t, "/"+r.served+"/"+r.title, c.URL)
				require.Equal(t, r.served, item.Locale)
			}
			require.NotNil(t, b.current("shop.page", "2"), "deleted is something else than not translated")
		})
	}
}

// The case of a locale means nothing, in a table, a manifest or a request.
func TestLocalesInAnyCase(t *testing.T) {
	t.Parallel()
	const texts = `
		CREATE TABLE pages (id bigint PRIMARY KEY, code text, hidden_at timestamptz);
		CREATE TABLE page_texts (page_id bigint, lang text, title text, body text, PRIMARY KEY (lang, page_id));
		INSERT INTO pages VALUES (1), (2);
		INSERT INTO page_texts VALUES (1, 'pt-BR', 'Casa'), (1, 'en-gb', 'House'), (2, 'zh-Hant-TW', '屋'), (2, 'en-gb', 'House')`
	const rows = `
		CREATE TABLE pages (id bigint, lang text, code text, title text, body text, hidden_at timestamptz);
		INSERT INTO pages (id, lang, title) VALUES (1, 'pt-BR', 'Casa'), (1, 'en-gb', 'House'), (2, 'zh-Hant-TW', '屋'), (2, 'en-gb', 'House')`
	tests := []struct{ name, tables, locale string }{
		{"translations", texts, "{table: page_texts, key: page_id, column: lang, default: en-GB}"},
		{"translations without a fallback", texts, "{table: page_texts, key: page_id, column: lang, default: en-GB, fallback: none}"},
		{"a column", rows, "{column: lang, default: en-GB}"},
		{"a column without a fallback", rows, "{column: lang, default: en-GB, fallback: none}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, test.tables, localised("pages", test.locale))
			for _, read := range []struct{ id, asked, served string }{
				{"1", "pt-br", "pt-BR"}, {"1", "PT-BR", "pt-BR"}, {"1", "pt-BR", "pt-BR"}, {"1", "EN-GB", "en-gb"}, {"1", "", "en-gb"},
				{"2", "zh-hant-tw", "zh-Hant-TW"}, {"2", "ZH-HANT-TW", "zh-Hant-TW"},
			} {
				c := b.capture("shop.page", read.id, read.asked)
				require.NotNil(t, c, "%+v", read)
				require.Equal(t, read.served, c.Served, "%+v", read)
				item, err := b.Content[0].Reader.Item(t.Context(), read.id, read.asked, content.HiddenAccess{})
				require.NoError(t, err)
				require.Equal(t, read.served, item.Locale, "%+v", read)
			}
			require.Equal(t, strings.Contains(test.locale, "none"), b.capture("shop.page", "1", "pt") == nil, "another locale")
		})
	}
}

// A row that does not say its locale is in the default one, whatever was asked for.
func TestRowsWithoutALocale(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `
		CREATE TABLE pages (id bigint, lang text, code text, title text, body text, hidden_at timestamptz);
		INSERT INTO pages (id, lang, title) VALUES (1, '', 'Empty'), (2, NULL, 'Null')`, localised("pages", "{column: lang, default: de}"))
	for id, title := range map[string]string{"1": "Empty", "2": "Null"} {
		for _, asked := range []string{"en", "de", ""} {
			c := b.capture("shop.page", id, asked)
			require.Equal(t, []string{"de", "/de/" + title}, []string{c.Served, c.URL})
			taken := snapshot.Build(*c, snapshot.BuildInput{RequestedLocale: asked}).Snapshot
			require.Equal(t, asked == "en", taken.Locale.Fallback)
			item, err := b.Content[0].Reader.Item(t.Context(), id, asked, content.HiddenAccess{})
			require.NoError(t, err)
			require.Equal(t, []string{"de", "/de/" + title}, []string{item.Locale, item.URL})
		}
	}
}

func TestHiddenInEveryLocale(t *testing.T) {
	t.Parallel()
	b := newBundle(t, translated, localised("pages", "{table: page_texts, key: page_id, column: lang, default: en}"))
	result, err := b.act("shop.page", "hide", "1")
	require.NoError(t, err)
	require.True(t, result.Changed)
	require.Nil(t, b.capture("shop.page", "1", "de"))
	require.Nil(t, b.capture("shop.page", "1", "en"))
	require.True(t, b.current("shop.page", "1").Hidden)
}

// Rows of one record may stand in different resources. Whatever locale somebody
// reads, the record is where its row of the default locale is.
func TestOneScopeForAllLocales(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `
		CREATE TABLE depts (id text PRIMARY KEY, name text);
		CREATE TABLE pages (id bigint, lang text, title text, dept text, hidden_at timestamptz, PRIMARY KEY (lang, id));
		INSERT INTO pages VALUES (1, 'aa', 'Aah', 'toys'), (1, 'de', 'Haus', 'books'), (1, 'en', 'House', 'toys'),
			(2, 'fr', 'Arbre', 'books'), (2, 'es', 'Árbol', 'toys'), (3, 'de', 'Weg', NULL), (3, 'en', 'Way', 'toys')`, `
id: shop
contentTypes:
  - id: shop.page
    label: shop.page
    permissionModule: pages
    table: pages
    key: {column: id, kind: bigint}
    fields: {title: {kind: text}}
    hidden: {at: hidden_at}
    locale: {column: lang, default: de}
    publicApi: {path: pages, fields: [title], url: "/{locale}/{id}"}
    moderationScope: {column: dept, family: shop.dept}
    reports: true
moderation:
  scopes:
    - {id: shop.dept, label: shop.dept, table: depts, idColumn: id, labelColumn: name}
`)
	reader := b.Content[0].Reader
	for id, want := range map[string]string{"1": "books", "2": "toys", "3": ""} {
		resource, exists, err := b.target("shop.page").ResolveScope(t.Context(), id)
		require.NoError(t, err)
		require.True(t, exists)
		require.Equal(t, want, resource, id)
		for _, locale := range []string{"", "de", "en", "aa", "fr"} {
			require.Equal(t, want, b.capture("shop.page", id, locale).Scope.ID, "%s in %q", id, locale)
			item, err := reader.Item(t.Context(), id, locale, content.HiddenAccess{})
			require.NoError(t, err)
			require.Equal(t, want, item.Scope.ID, "%s in %q", id, locale)
		}
	}

	b.exec("UPDATE pages SET hidden_at = now()")
	for resource, want := range map[string][]string{"books": {"1"}, "toys": {"2"}} {
		page, err := reader.Items(t.Context(), reader.List().First(10), "en", content.HiddenAccess{Resources: []string{resource}})
		require.NoError(t, err)
		var seen []string
		for _, i := range page.Edges {
			seen = append(seen, i.ID)
		}
		require.Equal(t, want, seen, "hidden, to those who may see it in %s", resource)
	}
}
