package permission

import "strings"

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
)

// Areas returns every area, in the order of the catalog.
func Areas() []Area {
	return []Area{
		AreaModerators, AreaAdmins, AreaCronView, AreaCronRun, AreaQueueView, AreaQueueRetry,
		AreaIntegrations, AreaAudit, AreaUsersDelete, AreaUsersManage, AreaWebhooks, AreaPoison, AreaPolicies,
	}
}

// MayEnter reports whether the admin entry holds the area. An unrestricted entry holds all.
func (e *Entry) MayEnter(a Area) bool {
	module, permission := a.split()
	return e.Has(CorePlugin, module, permission)
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
