package permission

import "github.com/docketmod/docket/domain/scope"

// key is a grant without its scope.
type key struct{ plugin, module, permission string }

func (g Grant) key() key { return key{g.Plugin, g.Module, g.Permission} }

// reach is the union of what the grants of one permission cover.
type reach struct {
	whole    bool                  // a grant without scope: everything
	families map[string]*selection // what is covered within each family
}

type selection struct {
	all bool
	ids map[string]struct{}
}

// add adds the scope of a grant. A malformed scope adds nothing.
func (r *reach) add(s *scope.Scope) {
	if s == nil {
		r.whole = true
		return
	}
	if s.Family == "" || (s.Mode != scope.All && s.Mode != scope.Selected) {
		return
	}
	if r.families == nil {
		r.families = make(map[string]*selection)
	}
	sel := r.families[s.Family]
	if sel == nil {
		sel = &selection{ids: make(map[string]struct{}, len(s.IDs))}
		r.families[s.Family] = sel
	}
	if s.Mode == scope.All {
		sel.all = true
		return
	}
	for _, id := range s.IDs {
		if id != "" {
			sel.ids[id] = struct{}{}
		}
	}
}

// contains reports whether r covers everything that s covers.
func (r *reach) contains(s *scope.Scope) bool {
	switch {
	case r == nil:
		return false
	case r.whole:
		return true
	case s == nil:
		return false
	}
	sel := r.families[s.Family]
	switch s.Mode {
	case scope.All:
		return s.Family == "" || sel != nil && sel.all
	case scope.Selected:
		return s.Family == "" || sel.containsIDs(s.IDs)
	}
	return true // a malformed scope covers nothing
}

func (s *selection) containsIDs(ids []string) bool {
	if s != nil && s.all {
		return true
	}
	for _, id := range ids {
		if id == "" {
			continue
		}
		if s == nil {
			return false
		}
		if _, ok := s.ids[id]; !ok {
			return false
		}
	}
	return true
}

// reachOf indexes grants by permission.
func reachOf(grants []Grant) map[key]*reach {
	index := make(map[key]*reach, len(grants))
	for _, g := range grants {
		r := index[g.key()]
		if r == nil {
			r = &reach{}
			index[g.key()] = r
		}
		r.add(g.Scope)
	}
	return index
}
