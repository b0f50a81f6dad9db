// Package paging is the one way every list pages: by cursor (spec 2.9 and 4.4,
// contract section 4).
//
// A list declares its orderings once, as a List. List.Parse turns the query of
// a request into a Request; Request.Apply puts it on a select (or Slice on a
// list held in memory); NewPage makes the page of what came back.
package paging

// The bounds of contract section 4.
const (
	DefaultSize = 25
	MaxSize     = 100
)

// Page is one page of results. Edges is never null.
type Page[T any] struct {
	Edges    []T  `json:"edges"`
	PageInfo Info `json:"pageInfo"`
}

// Info says where a page stands in its list.
type Info struct {
	StartCursor     *string `json:"startCursor"`
	EndCursor       *string `json:"endCursor"`
	HasNextPage     bool    `json:"hasNextPage"`
	HasPreviousPage bool    `json:"hasPreviousPage"`
	TotalCount      *int    `json:"totalCount"`

	TotalCountCapped *bool `json:"totalCountCapped,omitempty"`
	Page             *int  `json:"page,omitempty"`
	PageSize         *int  `json:"pageSize,omitempty"`
}

// NewPage makes the page of the rows that Request.Apply selected, in the order
// they were selected: at most r.Limit() of them. The position of a row is that
// of r.OrderBy(), so key switches on it where a list has several orderings.
func NewPage[T any](rows []T, r Request, key func(T) Position) Page[T] {
	more := len(rows) > r.size
	if more {
		rows = rows[:r.size]
	}
	edges := make([]T, len(rows))
	copy(edges, rows)
	if r.backward {
		reverse(edges)
	}

	info := Info{HasNextPage: more, HasPreviousPage: r.after != nil}
	if r.backward {
		info.HasNextPage, info.HasPreviousPage = r.after != nil, more
	}
	if r.number > 0 {
		info.HasPreviousPage = r.number > 1 && len(edges) > 0
		info.Page, info.PageSize = &r.number, &r.size
	}
	if n := len(edges); n > 0 {
		start, end := r.cursor(key(edges[0])), r.cursor(key(edges[n-1]))
		info.StartCursor, info.EndCursor = &start, &end
	}
	return Page[T]{Edges: edges, PageInfo: info}
}

// WithTotal adds the count of the whole list; capped says that counting
// stopped there (contract section 4).
func (p Page[T]) WithTotal(count int, capped bool) Page[T] {
	p.PageInfo.TotalCount, p.PageInfo.TotalCountCapped = &count, &capped
	if p.PageInfo.Page != nil && *p.PageInfo.Page > 1 && count > 0 {
		p.PageInfo.HasPreviousPage = true // a page past the end has rows before it
	}
	return p
}

// Map turns the items of a page into what is shown of them.
func Map[T, U any](p Page[T], f func(T) U) Page[U] {
	edges := make([]U, len(p.Edges))
	for i, item := range p.Edges {
		edges[i] = f(item)
	}
	return Page[U]{Edges: edges, PageInfo: p.PageInfo}
}

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
