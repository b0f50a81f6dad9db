// Package permission decides who may do what. It holds the catalog of permissions, the
// grants of staff entries, and what grants cover.
package permission

import (
	"slices"

	"github.com/docketmod/docket/domain/scope"
)

// CorePlugin is the plugin id of Docket's own permissions.
const CorePlugin = "@platform/core"

// The moderator permissions that are generated for report targets.
const (
	ViewReports   = "can_view_reports"
	ManageReports = "can_manage_reports"
	EditNotes     = "can_edit_notes"
	DeleteNotes   = "can_delete_notes"
	ViewHidden    = "can_view_hidden"
	Hide          = "can_hide"
	MuteReporters = "can_mute_reporters"
	DecideAppeals = "can_decide_appeals"
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

// Entry is the rights of a staff entry. The zero Entry allows nothing.
type Entry struct {
	Unrestricted bool
	Grants       []Grant
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
