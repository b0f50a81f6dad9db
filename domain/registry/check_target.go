package registry

import (
	"fmt"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/domain/target"
)

func (r *registration) checkTargets(p *Declaration) {
	fault := r.reporter(p)
	for i := range p.Targets {
		d := &p.Targets[i]
		at := fault.At(targetPath(i))
		r.used.unique("report target type", d.Type, p.where(targetPath(i)+".type"), at, "type")
		checkTarget(d, at)
		if d.PluginID != "" && d.PluginID != p.ID {
			at("pluginId", "the target belongs to plugin %q", d.PluginID)
		}
		if d.ScopeFamily != "" {
			r.knownFamily(d.ScopeFamily, at, "scopeFamily")
		}
	}
}

// checkTarget reports the missing and invalid parts of a definition.
func checkTarget(d *target.Definition, fault content.FaultFunc) {
	if !content.ValidTypeID(d.Type) {
		fault("type", "%q is not a valid type of a report target, such as forum.profile", d.Type)
	}
	if d.Label == "" {
		fault("label", "a report target needs a label")
	}
	if !content.ValidName(d.PermissionModule) {
		fault("permissionModule", "a report target needs a moderator module; %q is not a valid name", d.PermissionModule)
	}
	checkContentType(d.ContentType, fault)
	for _, f := range []struct {
		name    string
		missing bool
	}{{"parseId", d.ParseID == nil}, {"capture", d.Capture == nil}, {"current", d.Current == nil}} {
		if f.missing {
			fault(f.name, "a report target needs its %s function", f.name)
		}
	}
	switch {
	case d.ScopeFamily != "" && d.ResolveScope == nil:
		fault("resolveScope", "a target with a scope needs its resolveScope function")
	case d.ScopeFamily == "" && d.ResolveScope != nil:
		fault("scopeFamily", "a target that resolves its scope needs a scope family")
	}
	if p := d.People; p != nil && (p.Impose == nil || p.End == nil) {
		fault("people", "a target that carries out measures needs their impose and end functions")
	}
	seen := map[string]bool{}
	for i, a := range d.Actions {
		at := fault.At(fmt.Sprintf("actions[%d]", i))
		switch {
		case a.Name != target.Hide && a.Name != target.Unhide:
			at("name", "an action must be hide or unhide, not %q", a.Name)
		case seen[a.Name]:
			at("name", "the action %q is given twice", a.Name)
		}
		seen[a.Name] = true
		if !content.ValidName(a.Permission) {
			at("permission", "an action needs a permission; %q is not a valid name", a.Permission)
		}
		if a.Available == nil {
			at("available", "an action needs its available function")
		}
		if a.Run == nil {
			at("run", "an action needs its run function")
		}
	}
}

// checkContentType reports a name that is unknown to the EU's transparency database.
func checkContentType(name string, fault content.FaultFunc) {
	if name != "" && statement.ContentType(name) == "" {
		fault("contentType", "must be app, audio, image, product, synthetic_media, text, video or other, not %q", name)
	}
}
