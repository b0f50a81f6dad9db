package permission

import (
	"cmp"
	"maps"
	"slices"

	"github.com/docketmod/docket/domain/scope"
)

// Covers reports whether the entry holds the permission for something in the resource. The zero
// Resource means something without a scope.
func (e *Entry) Covers(plugin, module, permission string, r scope.Resource) bool {
	return e.holds(func(g Grant) bool { return g.key() == key{plugin, module, permission} && g.Scope.Covers(r) })
}

// CoversWhole reports whether the entry holds the permission for the whole family, or without
// scope.
func (e *Entry) CoversWhole(plugin, module, permission, family string) bool {
	return e.holds(func(g Grant) bool {
		return g.key() == key{plugin, module, permission} && (g.Scope == nil || g.Scope.Family == family && family != "" && g.Scope.Mode == scope.All)
	})
}

// Coverage is what an entry's grants of one permission cover, in a form that lists can
// filter by in one indexed query. It agrees with Entry.Covers on every plugin, module and
// resource. The zero Coverage covers nothing.
type Coverage struct {
	All     bool             // everything of every plugin, for an unrestricted entry
	Modules []ModuleCoverage // nil if All; ordered by plugin, module, family
	Blind   *Blind           `json:",omitempty"` // excluded; Covers does not consider it, since it knows no target
}

// ModuleCoverage is what is covered within one module of a plugin. A module that is covered
// in several families has one ModuleCoverage per family.
type ModuleCoverage struct {
	Plugin, Module string

	// Whole means everything of the module, with any scope or none. The other fields are
	// then zero.
	Whole bool

	Family string   // "" only if Whole
	All    bool     // every resource of Family, and things in no resource
	IDs    []string // the covered resources if not All: sorted, unique, not empty, without ""
}

// Coverage returns what the entry's grants of the permission cover.
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

// oneSelection returns the sorted resources of a single grant with a valid selection, or nil
// for any other grants. It avoids the maps of reachOf for moderators with thousands of
// resources.
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

// Empty reports whether nothing is covered, so that a list is empty without a query.
func (c Coverage) Empty() bool { return !c.All && len(c.Modules) == 0 }

// Covers reports whether something of the module in the resource is covered. The zero Resource
// means something without a scope.
func (c Coverage) Covers(plugin, module string, r scope.Resource) bool {
	return c.All || slices.ContainsFunc(c.Modules, func(m ModuleCoverage) bool {
		return m.Plugin == plugin && m.Module == module && m.covers(r)
	})
}

// InFamily returns what is covered within a scope family in any module: all of it, or the
// sorted ids. has reports whether a module uses the family, which grants without a scope
// require.
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
	if m.Whole || m.Family != r.Family {
		return m.Whole
	}
	_, found := slices.BinarySearch(m.IDs, r.ID)
	return m.All || found
}
