package projections

import (
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/scope"
)

// scopeColumns are the columns with the scope of a report, in a query on reports r and their
// targets t.
type scopeColumns struct{ family, id string }

var (
	// present is the target's present scope. It alone decides who may see a report.
	present = scopeColumns{"t.scope_family", "t.scope_id"}
	// filed is the target's scope when the report was filed.
	filed = scopeColumns{"r.scope_family", "r.scope_id"}
)

// FiledWithin returns the SQL condition that a row r is within the coverage. Its columns plugin_id,
// permission_module, scope_family and scope_id have the scope at filing.
func FiledWithin(c permission.Coverage) squirrel.Sqlizer { return filed.covered(c) }

// JoinTarget joins the target t of a row r with the columns plugin_id, target_type and target_id.
const JoinTarget = `core_moderation_targets t ON t.plugin_id = r.plugin_id AND t.target_type = r.target_type AND t.target_id = r.target_id`

// PresentWithin returns the SQL condition that a row r, with the columns plugin_id and
// permission_module, is within the coverage by the present scope of its target t.
func PresentWithin(c permission.Coverage) squirrel.Sqlizer { return present.covered(c) }

// inResources is the SQL condition that a column has one of the resources. For a few, an index on
// the scope may be used. Many are looked up in a hash: ANY would compare them one by one, and so
// would the join into which the planner turns IN without IS TRUE.
func inResources(id string, ids []string) squirrel.Sqlizer {
	const few = 32
	if len(ids) <= few {
		return squirrel.Expr(id+" = ANY (?)", ids)
	}
	return squirrel.Expr("("+id+" IN (SELECT unnest(?::text[]))) IS TRUE", ids)
}

// covered is the SQL condition that a report is within the coverage. present.covered agrees with
// permission.Coverage.Covers on every report, and leaves out the reports that c.Blind hides; the
// others are for sums that name no target.
func (p scopeColumns) covered(c permission.Coverage) squirrel.Sqlizer {
	if blind := c.Blind; blind != nil {
		c.Blind = nil
		if p == present {
			return squirrel.And{p.covered(c), squirrel.Expr("(r.plugin_id, r.target_type, r.target_id) <> (?, ?, ?)", blind.PluginID, blind.TargetType, blind.TargetID)}
		}
	}
	if c.All {
		return squirrel.Expr("true")
	}
	groups := squirrel.Or{}
	for _, modules := range sameResources(c) {
		groups = append(groups, p.reached(modules))
	}
	if len(groups) == 0 {
		return squirrel.Expr("false")
	}
	return groups
}

// reached is the SQL condition that a report is covered within modules of one group of
// sameResources.
func (p scopeColumns) reached(modules []permission.ModuleCoverage) squirrel.Sqlizer {
	in := squirrel.Or{}
	for _, m := range modules {
		in = append(in, squirrel.Eq{"r.plugin_id": m.Plugin, "r.permission_module": m.Module})
	}
	all := squirrel.And{in}
	if m := modules[0]; !m.Whole {
		all = append(all, squirrel.Eq{p.family: m.Family})
		if !m.All {
			all = append(all, inResources(p.id, m.IDs))
		}
	}
	return all
}

// sameResources groups modules that cover the same resources, so that the resources are looked up
// once. Most grants give one group.
func sameResources(c permission.Coverage) (groups [][]permission.ModuleCoverage) {
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

// only is the SQL condition that a report has the resource; nil means any.
func (p scopeColumns) only(r *scope.Resource) squirrel.Sqlizer {
	if r == nil {
		return squirrel.Expr("true")
	}
	return squirrel.Eq{p.family: r.Family, p.id: r.ID}
}
