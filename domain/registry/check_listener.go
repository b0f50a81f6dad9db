package registry

import (
	"fmt"
	"strings"
)

// ownGroups is how the names of Docket's own listener groups begin.
const ownGroups = "docket."

func (r *registration) checkListeners(p *Declaration) {
	fault := r.reporter(p)
	for i, l := range p.Listeners {
		path := fmt.Sprintf("listeners[%d]", i)
		at := fault.At(path)
		l.Check(func(field, message string) { at(field, "%s", message) })
		if strings.HasPrefix(l.Group, ownGroups) {
			at("group", "groups that begin with %s are Docket's own; %q is not free", ownGroups, l.Group)
		}
		r.used.unique("listener group", l.Group, p.where(path+".group"), at, "group")
	}
}
