package content

import (
	"context"
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
)

// Item is a record as the public API shows it.
type Item struct {
	ID          string
	URL         string
	Locale      string // the one it is in; "" for content that is not localised
	Hidden      bool
	Scope       scope.Resource // zero for a type without scope
	Authors     []snapshot.Author
	UpdatedAt   *time.Time
	PublishedAt *time.Time
	Fields      []Value // the public fields, in the API's order
}

// Value is one field as JSON. Rich text is a sanitised document; a File has
// its five keys; null is null.
type Value struct {
	Name  string
	Value json.RawMessage
}

// Sight is what a caller sees of hidden records: all of them, or those in
// some resources. The zero Sight sees none.
type Sight struct {
	All       bool
	Resources []string
}

// Reader reads the published records of one type. It is safe for concurrent use.
type Reader interface {
	// Items returns a page of what the caller may read, by id descending;
	// the request comes from List.
	Items(ctx context.Context, r paging.Request, locale string, s Sight) (paging.Page[Item], error)
	// Item returns a record, or nil when there is none that the caller may
	// read. The id is in the canonical form that the key's kind gives.
	Item(ctx context.Context, id, locale string, s Sight) (*Item, error)
	// List declares how Items pages.
	List() paging.List
}
