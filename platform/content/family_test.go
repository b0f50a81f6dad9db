package content_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/scope"
)

func TestFamilyOfATable(t *testing.T) {
	t.Parallel()
	b := shop(t)
	family := b.Scopes.Find("shop.dept")
	books := scope.Item{ID: "1", Label: "Books", Context: []string{"Ground"}}
	toys := scope.Item{ID: "2", Label: "Toys", Context: []string{}}
	nameless := scope.Item{ID: "3", Label: "3", Context: []string{"Top"}}

	tests := []struct {
		name, search string
		want         []scope.Item
	}{
		{"all, by label", "", []scope.Item{nameless, books, toys}},
		{"part of a label, in any case", "OO", []scope.Item{books}},
		{"an id", "2", []scope.Item{toys}},
		{"a wildcard means itself", "%", nil},
		{"nothing holds U+0000", "\x00", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, next, err := family.List(t.Context(), scope.Query{Limit: 10, Search: test.search})
			require.NoError(t, err)
			require.Empty(t, next)
			require.ElementsMatch(t, test.want, got)
			require.True(t, slices.IsSortedFunc(got, func(a, b scope.Item) int { return strings.Compare(a.Label, b.Label) }))
		})
	}

	found, err := family.Find(t.Context(), []string{"2", "99", "x'y"})
	require.NoError(t, err)
	require.Equal(t, []scope.Item{toys}, found)
}

func TestFamilyPages(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.exec("INSERT INTO shop_depts SELECT n, 'Same', NULL FROM generate_series(10, 39) n")
	family := b.Scopes.Find("shop.dept")
	var all []string
	cursor := ""
	for range 10 {
		items, next, err := family.List(t.Context(), scope.Query{Limit: 7, Cursor: cursor})
		require.NoError(t, err)
		require.LessOrEqual(t, len(items), 7)
		for _, i := range items {
			all = append(all, i.ID)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	require.Len(t, all, 33)
	slices.Sort(all)
	require.Len(t, slices.Compact(all), 33)

	for _, broken := range []string{"x", "!!", "W10", "WyJhIiwiYiIsImMiXQ", "WyJhIiwiISJd"} {
		_, _, err := family.List(t.Context(), scope.Query{Limit: 7, Cursor: broken})
		require.Equal(t, domain.CodeInvalidCursor, domain.ErrorCode(err), broken)
	}
}

func TestRowsThatCannotBeGrantedAreNoResources(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `CREATE TABLE rooms (id text, label text); INSERT INTO rooms VALUES ('a b', 'Spaced'), ('ok', 'Fine'), (repeat('x', 65), 'Long')`,
		fmt.Sprintf("id: shop\nmoderation: {scopes: [{id: shop.room, label: x, table: %s, idColumn: id, labelColumn: label}]}\n", "rooms"))
	items, _, err := b.Scopes.Find("shop.room").List(t.Context(), scope.Query{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []scope.Item{{ID: "ok", Label: "Fine", Context: []string{}}}, items)
	items, err = b.Scopes.Find("shop.room").Find(t.Context(), []string{"a b", "ok"})
	require.NoError(t, err)
	require.Len(t, items, 1)
}
