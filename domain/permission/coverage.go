package permission

import (
	"cmp"
	"maps"
	"slices"

	"github.com/docketmod/docket/domain/scope"
)

// Coverage is what an entry's grants of one permission reach, in the form a
// list needs to filter in one indexed query. It agrees with Entry.Covers on
// every plugin, module and resource. The zero Coverage reaches nothing.
type Coverage struct {
	All     bool             // everything of every plugin: an unrestricted entry
	Modules []ModuleCoverage // nil when All; ordered by plugin, module, family
}

// ModuleCoverage is what is reached within one module of a plugin. A module
// that is reached in several families has one ModuleCoverage for each.
type ModuleCoverage struct {
	Plugin, Module string

	// Whole reaches everything of the module, whatever its scope and also
	// without one. The fields below are then zero.
	Whole bool

	Family string   // never "" unless Whole
	All    bool     // every resource of Family, and what is in no resource (empty id)
	IDs    []string // the resources reached when not All: sorted, unique, never "" nor empty
}

// Coverage returns what the entry's grants of that permission reach.
func (e *Entry) Coverage(permission string) Coverage {
	switch {
	case e == nil:
		return Coverage{}
	case e.Unrestricted:
		return Coverage{All: true}
	}
	held := map[key][]Grant{}
	for _, g := range e.Grants {
		if g.Permission == permission {
			held[g.key()] = append(held[g.key()], g)
		}
	}
	var c Coverage
	for k, grants := range held {
		if ids := oneSelection(grants); len(ids) > 0 {
			c.Modules = append(c.Modules, ModuleCoverage{Plugin: k.plugin, Module: k.module, Family: grants[0].Scope.Family, IDs: ids})
			continue
		}
		c.Modules = append(c.Modules, reachOf(grants)[k].modules(k)...)
	}
	slices.SortFunc(c.Modules, func(a, b ModuleCoverage) int {
		return cmp.Or(cmp.Compare(a.Plugin, b.Plugin), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Family, b.Family))
	})
	return c
}

// oneSelection is what a single grant selects, in order. It spares each request of a
// moderator with thousands of resources the maps of reachOf; anything but one
// sound selection gives none.
func oneSelection(grants []Grant) []string {
	s := grants[0].Scope
	if len(grants) > 1 || s == nil || s.Mode != scope.Selected || s.Family == "" {
		return nil
	}
	ids := slices.Clone(s.IDs)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > 0 && ids[0] == "" {
		ids = ids[1:]
	}
	return ids
}

func (r *reach) modules(k key) []ModuleCoverage {
	if r.whole {
		return []ModuleCoverage{{Plugin: k.plugin, Module: k.module, Whole: true}}
	}
	var out []ModuleCoverage
	for family, sel := range r.families {
		m := ModuleCoverage{Plugin: k.plugin, Module: k.module, Family: family, All: sel.all}
		if !sel.all {
			if len(sel.ids) == 0 {
				continue
			}
			m.IDs = slices.Sorted(maps.Keys(sel.ids))
		}
		out = append(out, m)
	}
	return out
}

// Empty tells whether nothing at all is reached, so that a list need not be asked.
func (c Coverage) Empty() bool { return !c.All && len(c.Modules) == 0 }

// Covers tells whether something of that module in that resource is reached;
// the zero Resource is something without a scope.
func (c Coverage) Covers(plugin, module string, r scope.Resource) bool {
	if c.All {
		return true
	}
	for _, m := range c.Modules {
		if m.Plugin == plugin && m.Module == module && m.covers(r) {
			return true
		}
	}
	return false
}

// InFamily returns what is reached within a scope family, whatever the module:
// all of it, or the ids, sorted. The function tells which modules have things
// in the family, for what is reached without a scope.
func (c Coverage) InFamily(family string, has func(plugin, module string) bool) (all bool, ids []string) {
	if c.All {
		return true, nil
	}
	for _, m := range c.Modules {
		switch {
		case m.Whole && has(m.Plugin, m.Module), m.All && m.Family == family:
			return true, nil
		case m.Family == family:
			ids = append(ids, m.IDs...)
		}
	}
	slices.Sort(ids)
	return false, slices.Compact(ids)
}

func (m ModuleCoverage) covers(r scope.Resource) bool {
	if m.Whole {
		return true
	}
	if m.Family != r.Family {
		return false
	}
	if m.All {
		return true
	}
	_, found := slices.BinarySearch(m.IDs, r.ID)
	return found
}
