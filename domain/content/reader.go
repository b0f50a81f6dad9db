package content

import (
	"context"
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
)

// Item is a record in the public API.
type Item struct {
	ID          string
	URL         string
	Locale      string // the locale of the fields; "" for content that is not localized
	Hidden      bool
	Scope       scope.Resource // zero for a type without scope
	Authors     []snapshot.Author
	UpdatedAt   *time.Time
	PublishedAt *time.Time
	Fields      []Value // the public fields, in the API's order
}

// Value is one field as JSON. Rich text is a sanitized document; a file is an object with
// the keys of snapshot.File.
type Value struct {
	Name  string
	Value json.RawMessage
}

// HiddenAccess says which hidden records a caller may see: all of them, or those in some
// resources. The zero HiddenAccess means none.
type HiddenAccess struct {
	All       bool
	Resources []string
}

// Reader reads the published records of one type. It is safe for concurrent use.
type Reader interface {
	// Items returns a page of the records that the caller may read, by id descending. The
	// request must come from List.
	Items(ctx context.Context, r paging.Request, locale string, s HiddenAccess) (paging.Page[Item], error)
	// Item returns a record, or nil if there is none that the caller may read. The id
	// must be in the canonical form that KeyKind.Parse returns.
	Item(ctx context.Context, id, locale string, s HiddenAccess) (*Item, error)
	// List returns how Items pages.
	List() paging.List
}
