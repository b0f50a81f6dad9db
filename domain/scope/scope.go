// Package scope holds scope families, whose resources moderators can be limited to, and the
// scope of a grant.
//
// A family is a kind of place where content is: categories of a forum, albums of photos. A plugin
// declares it with two functions, which fill the pickers of the panel:
//
//	scope.Definition{
//		ID: "photos.album", Label: "photos.album",
//		List: func(ctx context.Context, q scope.Query) ([]scope.Item, string, error) {
//			return albums(ctx, q.Search, q.Cursor, q.Limit)
//		},
//		Find: func(ctx context.Context, ids []string) ([]scope.Item, error) {
//			return albumsByID(ctx, ids) // those that exist, in any order
//		},
//	}
//
// A target names the family in its ScopeFamily, and its ResolveScope returns the [Resource]'s id
// that one piece of content is in now. A grant with a [Scope] then covers all resources of the
// family, or a selection. When content moves, so do its reports: Docket reads the present resource
// again in every command, and at intervals for lists.
//
// Families over a table need no functions; see content.Family.
package scope

import (
	"context"
	"regexp"
	"slices"
	"time"
)

// Resource is a resource of a scope family, such as the category `general` of the family
// `forum.category`. The zero Resource means that there is no scope family. An empty ID with
// a family means that something is in no resource, which only mode All covers.
type Resource struct {
	Family string `json:"family"`
	ID     string `json:"id"`
}

// Mode is how much of its family a Scope covers.
type Mode string

// The modes: all resources of the family, or a selection.
const (
	All      Mode = "all"
	Selected Mode = "selected"
)

// Scope limits a grant to all or to selected resources of a family.
type Scope struct {
	Family string   `json:"family"`
	Mode   Mode     `json:"mode"`
	IDs    []string `json:"ids,omitzero"`
}

// Item is an option in a picker of resources.
type Item struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Context []string `json:"context,omitempty"`
}

// Query is a request for one page of the resources of a family.
type Query struct {
	Cursor string // "" for the first page; else a NextCursor
	Limit  int    // 1 to 100
	Search string
}

// Definition is a scope family. List and Find are called outside of transactions and must be
// safe for concurrent use.
type Definition struct {
	ID          string // lowercase, dot separated, unique across plugins
	Label       string // translation key
	Description string // translation key, may be empty

	// Timeout bounds each call of List and Find; 0 means the default of five seconds.
	Timeout time.Duration

	List func(ctx context.Context, q Query) (items []Item, nextCursor string, err error)
	Find func(ctx context.Context, ids []string) ([]Item, error)
}

var resourceID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$`)

// ResourceOf returns the resource for an id that a plugin resolved. An invalid id counts as none.
func ResourceOf(family, id string) Resource {
	if !ValidResourceID(id) {
		id = ""
	}
	return Resource{Family: family, ID: id}
}

var familyID = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// maxFamilyID is the longest id of a family, in bytes.
const maxFamilyID = 128

// ValidFamilyID reports whether id is lowercase and dot separated.
func ValidFamilyID(id string) bool { return len(id) <= maxFamilyID && familyID.MatchString(id) }

// ValidResourceID reports whether id is 1 to 64 letters, digits, dots, underscores, colons
// and dashes that begin with a letter or digit.
func ValidResourceID(id string) bool { return resourceID.MatchString(id) }

// Covers reports whether a grant with this scope covers the resource. A nil Scope means a grant
// without scope and covers everything. Any other covers only its own family, and only mode All
// covers a resource with an empty ID. A malformed Scope, without a family or with an unknown mode,
// covers nothing.
func (s *Scope) Covers(r Resource) bool {
	switch {
	case s == nil:
		return true
	case s.Family == "" || s.Family != r.Family:
		return false
	case s.Mode == All:
		return true
	case s.Mode == Selected:
		return r.ID != "" && slices.Contains(s.IDs, r.ID)
	}
	return false
}
