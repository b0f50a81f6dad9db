package registry

import (
	"slices"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/target"
)

// A Platform builds definitions that call the remote platform of a plugin.
type Platform interface {
	Target(t *plugin.RemoteType) target.Definition
	Family(f *plugin.RemoteFamily) scope.Definition
}

// Connect returns the platform of a plugin. The secret is in the form of Standard Webhooks.
type Connect func(pluginID string, r plugin.Remote, secret string) Platform

// remotePermissions returns the permissions that are generated for a type.
func remotePermissions(pluginID string, t *plugin.RemoteType) []permission.Declared {
	if t.Reports == nil {
		return nil
	}
	hides := false
	var needed []string
	for _, a := range t.Actions {
		hides = hides || a.Permission == permission.Hide || a.Name == target.Hide
		needed = append(needed, a.Permission)
	}
	return permissionsWith(permission.Generated(pluginID, t.PermissionModule, t.Family(), hides), needed)
}

// permissionsWith adds to the permissions of every type those that its actions need.
func permissionsWith(all []permission.Declared, needed []string) []permission.Declared {
	every := all[0] // the plugin, module and scope are those of each
	for _, name := range needed {
		if !slices.ContainsFunc(all, func(d permission.Declared) bool { return d.Permission == name }) {
			every.Permission, every.DependsOn = name, permission.ManageReports
			all = append(all, every)
		}
	}
	return all
}
