// Package paging implements cursor pagination, which every list uses.
//
// A list declares its orderings once, as a List. List.Parse turns the query of a request into a
// Request. Package sqlpage reads the requested page from a table; Slice takes it from a list in
// memory. NewPage makes a page of rows from elsewhere.
//
// Going forward (`cursor` and `first`), a page holds the rows strictly after the cursor in the list's order. Going
// backward (`cursor` and `last`), it holds those strictly before it, in the same order; without a cursor, the end of
// the list. Other modules must not import it.
package paging

import (
	"slices"

	"github.com/docketmod/docket/domain"
)

// Page is one page of results. Edges is never null.
type Page[T any] struct {
	Edges    []T  `json:"edges"`
	PageInfo Info `json:"pageInfo"`
}

// Info is the position of a page in its list.
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

// NewPage makes a page of rows in the order of r.Travel(), at most r.Limit() of them. key
// returns the position of a row in the ordering r.OrderBy().
func NewPage[T any](rows []T, r Request, key func(T) Position) Page[T] {
	more := len(rows) > r.size
	if more {
		rows = rows[:r.size]
	}
	edges := make([]T, len(rows))
	copy(edges, rows)
	if r.backward {
		slices.Reverse(edges)
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

// WithTotal adds the length of the whole list. If capped is set, counting stopped there.
func (p Page[T]) WithTotal(count int, capped bool) Page[T] {
	p.PageInfo.TotalCount, p.PageInfo.TotalCountCapped = &count, &capped
	if p.PageInfo.Page != nil && *p.PageInfo.Page > 1 && count > 0 {
		p.PageInfo.HasPreviousPage = true // a page past the end has rows before it
	}
	return p
}

// Map returns the page with f applied to every item.
func Map[T, U any](p Page[T], f func(T) U) Page[U] {
	return Page[U]{Edges: domain.Map(p.Edges, f), PageInfo: p.PageInfo}
}

// Slice returns the requested page of a list in memory. The items may be in any order and
// are not modified.
func Slice[T any](items []T, r Request, key func(T) Position) Page[T] {
	sign := 1
	if r.Travel() == Desc {
		sign = -1
	}
	var rows []T
	for _, item := range items {
		if r.after == nil || sign*key(item).compare(*r.after) > 0 {
			rows = append(rows, item)
		}
	}
	slices.SortStableFunc(rows, func(a, b T) int { return sign * key(a).compare(key(b)) })
	rows = rows[min(r.Offset(), len(rows)):]
	rows = rows[:min(r.Limit(), len(rows))]
	return NewPage(rows, r, key)
}
