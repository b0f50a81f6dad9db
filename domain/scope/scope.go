// Package scope holds the resources that moderator permissions can be limited
// to: scope families (spec 2.4) and the scope of a grant (spec 2.3).
package scope

import (
	"context"
	"regexp"
)

// Resource is one resource of a scope family, such as the category `general`
// of the family `forum.category`. The zero Resource is "no scope family"; an
// empty ID within a family is "in no resource", which only mode all covers.
type Resource struct {
	Family string `json:"family"`
	ID     string `json:"id"`
}

// Mode says how much of its family a Scope covers.
type Mode string

// The modes of spec 2.3.
const (
	All      Mode = "all"
	Selected Mode = "selected"
)

// Scope limits a grant to a family, wholly or to selected resources.
type Scope struct {
	Family string   `json:"family"`
	Mode   Mode     `json:"mode"`
	IDs    []string `json:"ids,omitzero"`
}

// Item is a resource as a picker shows it (spec 2.4).
type Item struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Context []string `json:"context,omitempty"`
}

// Query asks a family for one page of its resources.
type Query struct {
	Cursor string // "" for the first page; else a NextCursor
	Limit  int    // 1 to 100
	Search string
}

// Definition is a scope family (spec 2.4, defineModerationScope). List and
// Find are called outside any transaction and must be safe for concurrent use.
type Definition struct {
	ID          string // lowercase, dot separated, unique across plugins
	Label       string // translation key
	Description string // translation key, may be empty

	List func(ctx context.Context, q Query) (items []Item, nextCursor string, err error)
	Find func(ctx context.Context, ids []string) ([]Item, error)
}

var resourceID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$`)

// ResourceOf is where content says that it is: an id that has not the form of spec 2.3
// is none.
func ResourceOf(family, id string) Resource {
	if !ValidResourceID(id) {
		id = ""
	}
	return Resource{Family: family, ID: id}
}

// ValidResourceID tells whether id has the form of spec 2.3.
func ValidResourceID(id string) bool { return resourceID.MatchString(id) }
