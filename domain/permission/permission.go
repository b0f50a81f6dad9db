// Package permission decides who may do what. It holds the catalog of permissions, the
// grants of staff entries, and what grants cover.
package permission

import (
	"time"

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

// HasAnywhere reports whether the entry holds the permission in any plugin and module.
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

// Covers reports whether the entry holds the permission for something in the resource. The
// zero Resource is that of something without a scope.
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

// Caller is the account behind a session or token, with its rights.
type Caller struct {
	UserID    string
	Name      string
	Email     string
	Admin     *Entry // nil if there is no admin entry
	Moderator *Entry // nil if there is no moderator entry
	Use       Use
	// MutedUntil is until when the account's reports weigh nothing; nil if it is not muted.
	MutedUntil *time.Time

	// PluginID and TokenID are those of a token of use host, which has no account.
	PluginID string
	TokenID  string
}

// Muted reports whether the account is muted at a time.
func (c *Caller) Muted(at time.Time) bool { return c.MutedUntil != nil && at.Before(*c.MutedUntil) }

// Use is what a token may be used for. A session may be used for everything.
type Use string

// The uses of tokens: read requests, also the moderation routes, everything. One of use host
// belongs to a plugin and only files reports, for the members of the plugin's platform.
const (
	UseRead     Use = "read"
	UseModerate Use = "moderate"
	UseAdmin    Use = "admin"
	UseHost     Use = "host"
)

// Covers reports whether a token of this use may do all that one of another use may.
func (u Use) Covers(other Use) bool {
	order := map[Use]int{UseRead: 1, UseModerate: 2, UseAdmin: 3}
	return order[u] >= order[other]
}
