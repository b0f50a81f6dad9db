package projections

import (
	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
)

// inScopes is the condition that the target is in one of the resources. For a
// few, an index on the scope may lead to them. Many are looked up in a hash: ANY
// would compare with one after the other, and IS TRUE keeps the planner from
// making a join of it that does the same.
func inScopes(ids []string) squirrel.Sqlizer {
	const few = 32
	if len(ids) <= few {
		return squirrel.Expr("t.scope_id = ANY (?)", ids)
	}
	return squirrel.Expr("(t.scope_id IN (SELECT unnest(?::text[]))) IS TRUE", ids)
}

// covered is contract 3.3 in SQL, over reports r and their targets t; it agrees
// with permission.Coverage.Covers on every report.
func covered(c permission.Coverage) squirrel.Sqlizer {
	if c.All {
		return squirrel.Expr("true")
	}
	any := squirrel.Or{}
	for _, m := range c.Modules {
		all := squirrel.And{squirrel.Eq{"r.plugin_id": m.Plugin, "r.permission_module": m.Module}}
		if !m.Whole {
			all = append(all, squirrel.Eq{"t.scope_family": m.Family})
			if !m.All {
				all = append(all, inScopes(m.IDs))
			}
		}
		any = append(any, all)
	}
	if len(any) == 0 {
		return squirrel.Expr("false")
	}
	return any
}
