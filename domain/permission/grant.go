package permission

import (
	"slices"

	"github.com/docketmod/docket/domain/scope"
)

// Grant is a permission of a staff entry. Scope is nil for a permission without scope.
type Grant struct {
	Plugin     string       `json:"plugin"`
	Module     string       `json:"module"`
	Permission string       `json:"permission"`
	Scope      *scope.Scope `json:"scope,omitempty"`
}

// Key returns `plugin:module:permission`.
func (g Grant) Key() string { return g.Plugin + ":" + g.Module + ":" + g.Permission }

// Entry holds the rights of a staff entry. The zero Entry allows nothing.
type Entry struct {
	Unrestricted bool    `json:"unrestricted"`
	Grants       []Grant `json:"permissions"`
}

// Only returns the part of the entry that allows one permission.
func (e *Entry) Only(permission string) *Entry {
	only := &Entry{Grants: []Grant{}}
	if e != nil {
		only.Unrestricted = e.Unrestricted
		for _, g := range e.Grants {
			if g.Permission == permission {
				only.Grants = append(only.Grants, g)
			}
		}
	}
	return only
}

// Has reports whether the entry holds the permission in any scope.
func (e *Entry) Has(plugin, module, permission string) bool {
	return e.holds(func(g Grant) bool { return g.key() == key{plugin, module, permission} })
}

// HasAnywhere reports whether the entry holds the permission in any plugin and module.
func (e *Entry) HasAnywhere(permission string) bool {
	return e.holds(func(g Grant) bool { return g.Permission == permission })
}

// holds reports whether the entry is unrestricted or has a grant that matches.
func (e *Entry) holds(matches func(Grant) bool) bool {
	return e != nil && (e.Unrestricted || slices.ContainsFunc(e.Grants, matches))
}

// MayEnter reports whether the admin entry holds the area. An unrestricted entry holds all.
func (e *Entry) MayEnter(a Area) bool {
	module, permission := a.split()
	return e.Has(CorePlugin, module, permission)
}

// The bounds of an entry, which is loaded by every request of its user. The 1 MiB limit of request
// bodies bounds its total size.
const (
	MaxGrants      = 500
	MaxIDsPerGrant = 2000
)
