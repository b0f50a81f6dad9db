package projections

import (
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// A place is where a query over reports r and their targets t reads the resource
// of a report, and how it looks up the resources of a grant.
type place struct {
	family, id string
	lookUp     func(id string, ids []string) squirrel.Sqlizer
}

var (
	// present is where the target is now, which alone decides (contract 3.3).
	present = place{"t.scope_family", "t.scope_id", oneByOne}
	// filed is where the target was when the report was filed. The collation is
	// that of the index core_moderation_reports_filed_scope.
	filed = place{"r.scope_family", `r.scope_id COLLATE "C"`, oneByOne}
	// filedIndex is filed, by that index.
	filedIndex = place{filed.family, filed.id, byIndex}
)

// oneByOne looks up the resource of each row. For a few resources, an index on
// the scope may lead to them. Many are looked up in a hash: ANY would compare
// with one after the other, and IS TRUE keeps the planner from making a join of
// it that does the same.
func oneByOne(id string, ids []string) squirrel.Sqlizer {
	const few = 32
	if len(ids) <= few {
		return byIndex(id, ids)
	}
	return squirrel.Expr("("+id+" IN (SELECT unnest(?::text[]))) IS TRUE", ids)
}

// byIndex leads an index to each resource.
func byIndex(id string, ids []string) squirrel.Sqlizer {
	return squirrel.Expr(id+" = ANY (?)", ids)
}

// covered is contract 3.3 in SQL; at present it agrees with
// permission.Coverage.Covers on every report.
func (p place) covered(c permission.Coverage) squirrel.Sqlizer {
	if c.All {
		return squirrel.Expr("true")
	}
	any := squirrel.Or{}
	for _, modules := range alike(c) {
		any = append(any, p.reached(modules))
	}
	if len(any) == 0 {
		return squirrel.Expr("false")
	}
	return any
}

// reached is what is covered within modules that are alike.
func (p place) reached(modules []permission.ModuleCoverage) squirrel.Sqlizer {
	in := squirrel.Or{}
	for _, m := range modules {
		in = append(in, squirrel.Eq{"r.plugin_id": m.Plugin, "r.permission_module": m.Module})
	}
	all := squirrel.And{in}
	if m := modules[0]; !m.Whole {
		all = append(all, squirrel.Eq{p.family: m.Family})
		if !m.All {
			all = append(all, p.lookUp(p.id, m.IDs))
		}
	}
	return all
}

// alike puts modules together that are covered in the same resources, as they
// mostly are, so that these are looked up once.
func alike(c permission.Coverage) (groups [][]permission.ModuleCoverage) {
next:
	for _, m := range c.Modules {
		for i, g := range groups {
			if first := g[0]; first.Whole == m.Whole && first.Family == m.Family && first.All == m.All && slices.Equal(first.IDs, m.IDs) {
				groups[i] = append(g, m)
				continue next
			}
		}
		groups = append(groups, []permission.ModuleCoverage{m})
	}
	return groups
}

// only is the filter of a list by its resource; nil filters nothing.
func (p place) only(r *scope.Resource) squirrel.Sqlizer {
	if r == nil {
		return squirrel.Expr("true")
	}
	return squirrel.Eq{p.family: r.Family, p.id: r.ID}
}
