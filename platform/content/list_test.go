package content_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	domain "github.com/docketmod/docket/domain/content"
)

// A row that no id leads to is not in the list either, and takes no place in a page.
func TestRowsWithoutAnIDAreNotListed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", domain.MaxTextID)
	tests := []struct {
		name, kind, table string
		listed            []string
	}{
		{"bigint", "bigint", `CREATE TABLE notes (id bigint UNIQUE, title text);
			INSERT INTO notes (id) VALUES (NULL), (NULL), (1), (2), (3), (0), (-5), (-9223372036854775808), (9223372036854775807)`,
			[]string{"9223372036854775807", "3", "2", "1"}},
		{"an integer in a view", "bigint", `CREATE TABLE papers (id integer, title text);
			CREATE VIEW notes AS SELECT * FROM papers; INSERT INTO papers (id) VALUES (0), (7), (NULL)`, []string{"7"}},
		{"uuid", "uuid", `CREATE TABLE notes (id uuid, title text); INSERT INTO notes (id) VALUES (NULL), ('` + ada + `')`, []string{ada}},
		{"text", "text", `CREATE TABLE notes (id text, title text);
			INSERT INTO notes (id) VALUES (NULL), (''), (' '), ('b'), ('a'), (repeat('ä', 255)), (repeat('x', 256))`,
			[]string{long, "b", "a", " "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t, test.table, `
id: shop
contentTypes:
  - id: shop.note
    label: shop.note
    permissionModule: notes
    table: notes
    key: {column: id, kind: `+test.kind+`}
    fields: {title: {kind: text}}
    publicApi: {path: notes, fields: [title], url: "/notes/{id}"}
    reports: true
`)
			reader := b.Content[0].Reader
			page, err := reader.Items(t.Context(), reader.List().First(len(test.listed)), "", domain.Sight{})
			require.NoError(t, err)
			require.False(t, page.PageInfo.HasNextPage)
			var listed []string
			for _, item := range page.Edges {
				listed = append(listed, item.ID)
				id, ok := b.target("shop.note").ParseID(item.ID)
				require.True(t, ok)
				require.NotNil(t, b.capture("shop.note", id, ""))
			}
			require.ElementsMatch(t, test.listed, listed)
		})
	}
}
