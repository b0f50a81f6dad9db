package registry

import (
	"cmp"
	"fmt"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/target"
)

func declaredPermission(pluginID string, d plugin.Permission) permission.Declared {
	return permission.Declared{
		Kind: d.Kind, Plugin: pluginID, Module: d.Module, Permission: d.Permission,
		DependsOn: d.DependsOn, Scope: d.Scope,
	}
}

// generatedFor are the permissions that a report target adds to its module.
type generatedFor struct {
	path, module, family string
	permissions          []permission.Declared
}

func (p *Declaration) generated() []generatedFor {
	var out []generatedFor
	for i := range p.ContentTypes {
		if t := &p.ContentTypes[i]; t.Reports != nil {
			out = append(out, generatedFor{typePath(i), t.PermissionModule, t.Family(), t.Permissions(p.ID)})
		}
	}
	for i := range p.RemoteTypes {
		if t := &p.RemoteTypes[i]; t.Reports != nil {
			out = append(out, generatedFor{remoteTypePath(i), t.PermissionModule, t.Family(), remotePermissions(p.ID, t)})
		}
	}
	for i := range p.Targets {
		d := &p.Targets[i]
		_, canHide := d.Action(target.Hide)
		needed := domain.Map(d.Actions, func(a target.Action) string { return a.Permission })
		out = append(out, generatedFor{targetPath(i), d.PermissionModule, d.ScopeFamily,
			permissionsWith(permission.Generated(p.ID, d.PermissionModule, d.ScopeFamily, canHide), needed)})
	}
	return out
}

type permissionKey struct {
	kind               permission.Kind
	module, permission string
}

func (r *registration) checkPermissions(p *Declaration) {
	fault := r.reporter(p)
	declared := make(map[permissionKey]*plugin.Permission)
	paths := p.permissionPaths()
	for i := range p.Permissions {
		d := &p.Permissions[i]
		at := fault.At(paths[i])
		key := permissionKey{d.Kind, d.Module, d.Permission}
		if declared[key] != nil {
			at("permission", "the permission %q is declared twice in its module", d.Permission)
			continue
		}
		declared[key] = d
		r.checkPermission(d, at)
	}
	for i := range p.Permissions {
		checkDependency(&p.Permissions[i], declared, fault.At(paths[i]))
	}
	p.checkModules(fault)
}

func (r *registration) checkPermission(d *plugin.Permission, fault content.FaultFunc) {
	if d.Kind != permission.Admin && d.Kind != permission.Moderator {
		fault("", "the kind of a permission must be admin or moderator, not %q", d.Kind)
	}
	if !content.ValidName(d.Module) {
		fault("", "%q is not a valid module name", d.Module)
	}
	if !content.ValidName(d.Permission) {
		fault("permission", "%q is not a valid permission name", d.Permission)
	}
	if d.Scope == "" {
		return
	}
	if d.Kind == permission.Admin {
		fault("scope", "admin permissions cannot be scoped")
		return
	}
	r.knownFamily(d.Scope, fault, "scope")
}

func checkDependency(d *plugin.Permission, declared map[permissionKey]*plugin.Permission, fault content.FaultFunc) {
	if d.DependsOn == "" {
		return
	}
	at := func(name string) *plugin.Permission { return declared[permissionKey{d.Kind, d.Module, name}] }
	dependency := at(d.DependsOn)
	if dependency == nil {
		fault("dependsOn", "its module declares no permission %q", d.DependsOn)
		return
	}
	if dependency.Scope != "" && d.Scope != "" && dependency.Scope != d.Scope {
		fault("scope", "it is of the family %q, and %s, which it depends on, is of %q", d.Scope, d.DependsOn, dependency.Scope)
	}
	for next, steps := dependency, 0; next != nil && steps <= len(declared); next, steps = at(next.DependsOn), steps+1 {
		if next.Permission == d.Permission {
			fault("dependsOn", "the permission depends on itself")
			return
		}
	}
}

// checkModules reports targets with different scope families that share a generated module, since a
// grant has only one scope.
func (p *Declaration) checkModules(fault content.FaultFunc) {
	own := make(map[string]bool)
	for _, d := range p.Permissions {
		if d.Kind == permission.Moderator {
			own[d.Module] = true
		}
	}
	first := make(map[string]generatedFor)
	for _, g := range p.generated() {
		if own[g.module] {
			continue
		}
		earlier, shared := first[g.module]
		if !shared {
			first[g.module] = g
		} else if earlier.family != g.family {
			fault.At(g.path)("permissionModule", "the module %q is shared with %s, whose scope is %s and not %s",
				g.module, p.named(earlier.path), cmp.Or(earlier.family, "none"), cmp.Or(g.family, "none"))
		}
	}
}

// permissionPaths returns where each permission is declared, as paths for faults.
func (p *Declaration) permissionPaths() []string {
	count := make(map[string]int)
	out := make([]string, len(p.Permissions))
	for i, d := range p.Permissions {
		if p.origin == nil {
			out[i] = fmt.Sprintf("permissions[%d]", i)
			continue
		}
		module := fmt.Sprintf("permissions.%s.%s", d.Kind, d.Module)
		out[i] = fmt.Sprintf("%s[%d]", module, count[module])
		count[module]++
	}
	return out
}
