package registry

import (
	"fmt"
	"strings"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/event"
)

// ownGroups is the prefix of Docket's own listener groups.
const ownGroups = "docket."

func (r *registration) checkListeners(p *Declaration) {
	fault := r.reporter(p)
	for i, l := range p.Listeners {
		path := fmt.Sprintf("listeners[%d]", i)
		at := fault.At(path)
		l.Check(func(field, message string) { at(field, "%s", message) })
		knownEvents(l.Events, at)
		if strings.HasPrefix(l.Group, ownGroups) {
			at("group", "groups that begin with %s are Docket's own; %q is not free", ownGroups, l.Group)
		}
		r.used.unique("listener group", l.Group, p.where(path+".group"), at, "group")
	}
}

// knownEvents reports patterns that no event can match, with suggestions.
func knownEvents(patterns []string, fault content.FaultFunc) {
	for i, pattern := range patterns {
		if !event.ValidPattern(pattern) {
			fault(fmt.Sprintf("events[%d]", i), "there is no event %q%s", pattern, DidYouMean(pattern, event.ReportNames))
		}
	}
}
