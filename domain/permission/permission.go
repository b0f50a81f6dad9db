// Package permission answers the one question of who may do what: the
// catalog of permissions, the grants of staff entries, and what they cover.
package permission

import "github.com/docketmod/docket/domain/scope"

// CorePlugin is the plugin id of Docket's own permissions.
const CorePlugin = "@platform/core"

// The moderator permissions of spec 2.2.
const (
	ViewReports   = "can_view_reports"
	ManageReports = "can_manage_reports"
	EditNotes     = "can_edit_notes"
	DeleteNotes   = "can_delete_notes"
	ViewHidden    = "can_view_hidden"
	Hide          = "can_hide"
)

// Grant is one permission given to one staff entry. Scope is nil for a
// permission without scope (spec 2.3).
type Grant struct {
	Plugin     string       `json:"plugin"`
	Module     string       `json:"module"`
	Permission string       `json:"permission"`
	Scope      *scope.Scope `json:"scope,omitempty"`
}

// Key is the `plugin:module:permission` of spec section 7's issues.
func (g Grant) Key() string { return g.Plugin + ":" + g.Module + ":" + g.Permission }

// Entry is what one staff entry allows. The zero Entry allows nothing.
type Entry struct {
	Unrestricted bool
	Grants       []Grant
}

// Has tells whether the entry holds the permission anywhere.
func (e *Entry) Has(plugin, module, permission string) bool {
	if e == nil {
		return false
	}
	if e.Unrestricted {
		return true
	}
	for _, g := range e.Grants {
		if g.Plugin == plugin && g.Module == module && g.Permission == permission {
			return true
		}
	}
	return false
}

// HasAnywhere tells whether the entry holds the permission in any plugin and module.
func (e *Entry) HasAnywhere(permission string) bool {
	if e == nil {
		return false
	}
	if e.Unrestricted {
		return true
	}
	for _, g := range e.Grants {
		if g.Permission == permission {
			return true
		}
	}
	return false
}

// Covers tells whether the entry holds the permission for something in that
// resource; the zero Resource is something without a scope (contract 3.3).
func (e *Entry) Covers(plugin, module, permission string, r scope.Resource) bool {
	if e == nil {
		return false
	}
	if e.Unrestricted {
		return true
	}
	for _, g := range e.Grants {
		if g.Plugin == plugin && g.Module == module && g.Permission == permission && g.Scope.Covers(r) {
			return true
		}
	}
	return false
}

// Caller is who asks: the account behind a session or token, with what it may do.
type Caller struct {
	UserID    string
	Name      string
	Email     string
	Admin     *Entry // nil without an admin entry
	Moderator *Entry // nil without a moderator entry
	Use       Use
}

// Use is what a token may be used for; a session may be used for everything.
type Use string

// The uses of contract section 2.
const (
	UseRead     Use = "read"
	UseModerate Use = "moderate"
	UseAdmin    Use = "admin"
)
