package paging

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func parse(t testing.TB, l List, query string) (Request, error) {
	values, err := url.ParseQuery(query)
	require.NoError(t, err)
	return l.Parse(values)
}

func TestParseGathersEveryFault(t *testing.T) {
	t.Parallel()
	numbered := everyKind
	numbered.Numbered = true
	cases := []struct{ name, query, faults string }{
		{"nothing asked", "", ""},
		{"unknown parameters are others' to judge", "status=new", ""},
		{"first and last", "first=5&last=5", "last:exclusive"},
		{"first empty", "first=", "first:invalid"},
		{"first zero", "first=0", "first:invalid"},
		{"first zeros", "first=000", "first:invalid"},
		{"first negative", "first=-1", "first:invalid"},
		{"first signed", "first=%2B5", "first:invalid"},
		{"first a fraction", "first=1.0", "first:invalid"},
		{"first an exponent", "first=1e2", "first:invalid"},
		{"first in other digits", "first=٣", "first:invalid"},
		{"first a word", "first=all", "first:invalid"},
		{"first with a space", "first=+5", "first:invalid"},
		{"first twice", "first=5&first=6", "first:repeated"},
		{"last empty", "last=", "last:invalid"},
		{"both, one of them wrong", "first=5&last=no", "last:invalid last:exclusive"},
		{"order in capitals", "order=ASC", "order:invalid"},
		{"order empty", "order=", "order:invalid"},
		{"an unknown column", "orderBy=password", "orderBy:unknown_column"},
		{"a column's SQL name", "orderBy=created_at", "orderBy:unknown_column"},
		{"an empty column", "orderBy=", "orderBy:unknown_column"},
		{"a fault before the cursor's", "first=no&cursor=garbage", "first:invalid"},
		{"every fault at once", "orderBy=x&order=up&first=0&last=-1",
			"orderBy:unknown_column order:invalid first:invalid last:invalid last:exclusive"},
		{"page and cursor", "page=1&cursor=x", "page:exclusive"},
		{"page and first", "page=1&first=5", "page:exclusive"},
		{"pageSize and last", "pageSize=10&last=5", "pageSize:exclusive"},
		{"page zero", "page=0", "page:invalid"},
		{"page too deep", "page=101&pageSize=100", "page:too_deep"},
		{"page far too deep", "page=99999999999999999999&pageSize=4", "page:too_deep"},
		{"pageSize a word", "page=1&pageSize=big", "pageSize:invalid"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(t, numbered, c.query)
			var faults []string
			var e *domain.Error
			if err != nil {
				require.ErrorAs(t, err, &e)
				require.Equal(t, domain.CodeValidationFailed, e.Code)
				for _, issue := range e.Issues {
					require.NotEmpty(t, issue.Message)
					faults = append(faults, issue.Path+":"+issue.Code)
				}
			}
			require.Equal(t, c.faults, strings.Join(faults, " "))
		})
	}
}

func TestParseReportsTheListsOwnFaultsToo(t *testing.T) {
	t.Parallel()
	_, err := everyKind.Parse(url.Values{"first": {"no"}}, domain.Issue{Path: "status", Code: "invalid"})

	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Issues, 2)
	require.Equal(t, "status", e.Issues[0].Path)
	require.Equal(t, "first", e.Issues[1].Path)
}

func TestParseSizes(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]int{
		"":                                 DefaultSize,
		"first=1":                          1,
		"first=007":                        7,
		"first=100":                        100,
		"first=101":                        100,
		"last=4294967297":                  100,
		"first=" + strings.Repeat("9", 99): 100,
	} {
		r, err := parse(t, everyKind, query)
		require.NoError(t, err, query)
		require.Equal(t, want, r.Size(), query)
	}
}

func TestNumberedPages(t *testing.T) {
	t.Parallel()
	list := List{ID: ID{Expr: "id", Kind: Int}, Numbered: true}
	items := make([]int, 10)
	for i := range items {
		items[i] = i + 1
	}
	cases := []struct {
		query          string
		want           []int
		previous, next bool
	}{
		{"page=1&pageSize=4", []int{1, 2, 3, 4}, false, true},
		{"page=2&pageSize=4", []int{5, 6, 7, 8}, true, true},
		{"page=3&pageSize=4", []int{9, 10}, true, false},
		{"page=4&pageSize=4", []int{}, true, false},
		{"page=2500&pageSize=4", []int{}, true, false},
		{"pageSize=10", items, false, false},
		{"page=1", items, false, false},
	}
	for _, c := range cases {
		t.Run(c.query, func(t *testing.T) {
			t.Parallel()
			r, err := parse(t, list, c.query)
			require.NoError(t, err)

			page := Slice(items, r, intPosition).WithTotal(len(items), false)

			require.Equal(t, c.want, page.Edges)
			require.Equal(t, c.previous, page.PageInfo.HasPreviousPage)
			require.Equal(t, c.next, page.PageInfo.HasNextPage)
			require.NotNil(t, page.PageInfo.Page)
			require.Equal(t, r.Size(), *page.PageInfo.PageSize)
			require.Equal(t, 10, *page.PageInfo.TotalCount)
		})
	}
}
