package projections

import (
	"github.com/Masterminds/squirrel"
	"github.com/docketmod/docket/domain/permission"
)

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
				all = append(all, squirrel.Expr("t.scope_id = ANY (?)", m.IDs))
			}
		}
		any = append(any, all)
	}
	if len(any) == 0 {
		return squirrel.Expr("false")
	}
	return any
}
