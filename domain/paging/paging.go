// Package paging is the one way every list pages: by cursor (spec 2.9 and 4.4).
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
