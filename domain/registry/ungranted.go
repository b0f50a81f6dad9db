package registry

import (
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain/permission"
)

// Ungranted returns the types whose permissions nobody can be granted, since the plugin declares their module itself and
// leaves them out. These are not faults: moderators without restrictions have every permission.
func Ungranted(plugins ...*Declaration) (notes Faults) {
	for _, p := range plugins {
		own, declared := map[string]bool{}, map[permissionKey]bool{}
		for _, d := range p.Permissions {
			if d.Kind == permission.Moderator {
				own[d.Module], declared[permissionKey{d.Kind, d.Module, d.Permission}] = true, true
			}
		}
		for _, g := range p.generated() {
			var missing []string
			for _, d := range g.permissions {
				if own[d.Module] && !declared[permissionKey{d.Kind, d.Module, d.Permission}] {
					missing = append(missing, d.Permission)
				}
			}
			if missing != nil {
				notes = append(notes, p.fault(g.path+".permissionModule", fmt.Sprintf("the plugin declares the module %q itself and so must declare %s there, "+
					"which nobody can be granted now; or use another module for permissions of its own", g.module, strings.Join(missing, ", "))))
			}
		}
	}
	return notes
}
