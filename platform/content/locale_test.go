package content_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
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
				item, err := reader.Item(t.Context(), r.id, r.asked, content.Sight{})
				require.NoError(t, err)
				page, err := reader.Items(t.Context(), reader.List().First(10), r.asked, content.Sight{})
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
