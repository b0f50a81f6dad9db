package paging

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func intPosition(n int) Position { return Position{IntValue(int64(n)), IntValue(int64(n))} }

func cursorOf(t testing.TB, l List, query string, p Position) string {
	r, err := parse(t, l, query)
	require.NoError(t, err)
	return r.cursor(p)
}

func TestPageInfo(t *testing.T) {
	t.Parallel()
	list := List{ID: ID{Expr: "id", Kind: Int}}
	cursor := func(n int) string { return cursorOf(t, list, "", intPosition(n)) }
	five := []int{3, 1, 5, 2, 4}
	cases := []struct {
		name, query    string
		items, want    []int
		previous, next bool
	}{
		{"the head", "first=2", five, []int{1, 2}, false, true},
		{"all of it", "", five, []int{1, 2, 3, 4, 5}, false, false},
		{"exactly all of it", "first=5", five, []int{1, 2, 3, 4, 5}, false, false},
		{"the middle", "first=2&cursor=" + cursor(2), five, []int{3, 4}, true, true},
		{"up to the end", "first=2&cursor=" + cursor(3), five, []int{4, 5}, true, false},
		{"beyond the end", "first=2&cursor=" + cursor(5), five, []int{}, true, false},
		{"after a row that is gone", "first=2&cursor=" + cursor(0), five, []int{1, 2}, true, true},
		{"the tail", "last=2", five, []int{4, 5}, true, false},
		{"a tail of all", "last=5", five, []int{1, 2, 3, 4, 5}, false, false},
		{"backwards", "last=2&cursor=" + cursor(4), five, []int{2, 3}, true, true},
		{"backwards to the start", "last=2&cursor=" + cursor(3), five, []int{1, 2}, false, true},
		{"before the start", "last=2&cursor=" + cursor(1), five, []int{}, false, true},
		{"an empty list", "first=2", nil, []int{}, false, false},
		{"an empty list from its end", "last=2", nil, []int{}, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := parse(t, list, c.query)
			require.NoError(t, err)

			page := Slice(c.items, r, intPosition)

			require.Equal(t, c.want, page.Edges)
			require.Equal(t, c.previous, page.PageInfo.HasPreviousPage, "hasPreviousPage")
			require.Equal(t, c.next, page.PageInfo.HasNextPage, "hasNextPage")
			if len(c.want) == 0 {
				require.Nil(t, page.PageInfo.StartCursor)
				require.Nil(t, page.PageInfo.EndCursor)
				return
			}
			require.Equal(t, cursor(c.want[0]), *page.PageInfo.StartCursor)
			require.Equal(t, cursor(c.want[len(c.want)-1]), *page.PageInfo.EndCursor)
		})
	}
}

func TestPageAsJSON(t *testing.T) {
	t.Parallel()
	list := List{ID: ID{Expr: "id", Kind: Int}}
	page := Map(Slice(nil, list.First(5), intPosition), func(n int) string { return "" })

	encoded, err := json.Marshal(page)

	require.NoError(t, err)
	require.JSONEq(t, `{"edges": [], "pageInfo": {"startCursor": null, "endCursor": null,
		"hasNextPage": false, "hasPreviousPage": false, "totalCount": null}}`, string(encoded))
}
