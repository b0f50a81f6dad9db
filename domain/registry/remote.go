package registry

import (
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

// remotePermissions returns the permissions that are generated for a type: those of every type, and
// those that its actions need.
func remotePermissions(pluginID string, t *plugin.RemoteType) []permission.Declared {
	if t.Reports == nil {
		return nil
	}
	known := map[string]bool{}
	hides := false
	for _, a := range t.Actions {
		hides = hides || a.Permission == permission.Hide || a.Name == target.Hide
	}
	all := permission.Generated(pluginID, t.PermissionModule, t.Family(), hides)
	for _, d := range all {
		known[d.Permission] = true
	}
	for _, a := range t.Actions {
		if !known[a.Permission] {
			known[a.Permission] = true
			all = append(all, permission.Declared{Kind: permission.Moderator, Plugin: pluginID, Module: t.PermissionModule,
				Permission: a.Permission, DependsOn: permission.ManageReports, Scope: t.Family()})
		}
	}
	return all
}
