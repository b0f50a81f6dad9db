// Package permission decides who may do what. It holds the catalog of permissions, the grants of staff entries, and
// what grants cover. Other modules must not import it. Tests of plugins are the exception: they make an Entry of Grants.
package permission

import "strings"

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

	ImposeMeasures = "can_impose_measures"

	// Approve also makes its holders leads, to whom reports are escalated.
	Approve     = "can_approve"
	ViewQuality = "can_view_quality"
)

// Kind is the kind of a staff entry and of its permissions.
type Kind string

// The two kinds of staff.
const (
	Admin     Kind = "admin"
	Moderator Kind = "moderator"
)

// Declared is a permission that can be granted.
type Declared struct {
	Kind       Kind
	Plugin     string
	Module     string
	Permission string
	DependsOn  string // a permission of the same module that must be granted too, or ""
	Scope      string // the scope family of its grants, or ""; always "" for Admin
}

// Key returns `plugin:module:permission`.
func (d Declared) Key() string { return d.Plugin + ":" + d.Module + ":" + d.Permission }

// Generated returns the moderator permissions that a report target adds to its module. The
// family is "" for a target without scope. canHide means that the target can be hidden.
func Generated(targetPlugin, module, family string, canHide bool) []Declared {
	generated := func(permission, dependsOn string) Declared {
		return Declared{
			Kind: Moderator, Plugin: targetPlugin, Module: module,
			Permission: permission, DependsOn: dependsOn, Scope: family,
		}
	}
	out := []Declared{
		generated(ViewReports, ""),
		generated(ManageReports, ViewReports),
		generated(EditNotes, ManageReports),
		generated(DeleteNotes, ManageReports),
		generated(MuteReporters, ViewReports),
		generated(DecideAppeals, ViewReports),
		generated(ImposeMeasures, ManageReports),
		generated(Approve, ViewReports),
		generated(ViewQuality, ViewReports),
	}
	if canHide {
		out = append(out, generated(ViewHidden, ""), generated(Hide, ViewHidden))
	}
	return out
}

// Area is a permission of Docket's own admin area, as the `module:permission` of
// CorePlugin.
type Area string

// The admin permissions.
const (
	AreaModerators   Area = "staff:can_manage_moderators"
	AreaAdmins       Area = "staff:can_manage_admins"
	AreaCronView     Area = "cron:can_view"
	AreaCronRun      Area = "cron:can_run"
	AreaQueueView    Area = "queue:can_view"
	AreaQueueRetry   Area = "queue:can_retry"
	AreaIntegrations Area = "integrations:can_view"
	AreaAudit        Area = "audit:can_view"
	AreaUsersDelete  Area = "users:can_delete"
	AreaUsersManage  Area = "users:can_manage"
	AreaWebhooks     Area = "webhooks:can_manage"
	AreaPoison       Area = "poison:can_manage"
	AreaPolicies     Area = "policies:can_manage"
	AreaPlatforms    Area = "platforms:can_manage"
	AreaRules        Area = "rules:can_manage"
	AreaQuality      Area = "quality:can_manage"
	AreaHold         Area = "audit:can_hold"
)

// Areas returns every area, in the order of the catalog.
func Areas() []Area {
	return []Area{
		AreaModerators, AreaAdmins, AreaCronView, AreaCronRun, AreaQueueView, AreaQueueRetry,
		AreaIntegrations, AreaAudit, AreaUsersDelete, AreaUsersManage, AreaWebhooks, AreaPoison, AreaPolicies, AreaPlatforms, AreaRules, AreaQuality, AreaHold,
	}
}

// StaffArea returns the area that allows managing entries of the kind.
func (k Kind) StaffArea() Area {
	if k == Admin {
		return AreaAdmins
	}
	return AreaModerators
}

func (a Area) split() (module, permission string) {
	module, permission, _ = strings.Cut(string(a), ":")
	return module, permission
}

// Core returns Docket's own admin permissions.
func Core() []Declared {
	var out []Declared
	for _, a := range Areas() {
		module, permission := a.split()
		out = append(out, Declared{Kind: Admin, Plugin: CorePlugin, Module: module, Permission: permission})
	}
	return out
}
