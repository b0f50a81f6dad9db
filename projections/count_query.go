package projections

import (
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
)

// Reports are counted by the scope of their targets at filing, which is in an index of the
// reports; the present scope would take a join for each report. Few targets have moved
// since (core_moderation_targets.moved). In the same snapshot, their reports are subtracted
// where they left a scope and added where they entered one, so the counts agree with the
// lists.

// countQuery counts a list and stops at maxCount + 1.
func countQuery(c permission.Coverage, f Filter) (string, []any, error) {
	if !asksScope(c, f) {
		return numbered("SELECT count(*) FROM (? LIMIT ?) r", asFiled(c, f), maxCount+1)
	}
	return numbered(`SELECT least((SELECT count(*) FROM (? LIMIT ?::bigint + m.went) r) - m.went + m.came, ?)
		FROM (SELECT count(*) FILTER (WHERE r.change < 0) AS went, count(*) FILTER (WHERE r.change > 0) AS came FROM (?) r) m`,
		asFiled(c, f), maxCount+1, maxCount+1, sinceMoved(c, f))
}

// countEachQuery counts what the coverage and the filter admit, for each of the conditions
// on r.status and r.assignee_id.
func countEachQuery(c permission.Coverage, f Filter, conditions []squirrel.Sqlizer) (string, []any, error) {
	var sums []string
	counts, changes := squirrel.Select(), squirrel.Select()
	for i, condition := range conditions {
		sums = append(sums, fmt.Sprintf("sum(n%d)::bigint", i))
		counts = counts.Column(squirrel.Expr(fmt.Sprintf("count(*) FILTER (WHERE ?) AS n%d", i), condition))
		changes = changes.Column(squirrel.Expr("coalesce(sum(r.change) FILTER (WHERE ?), 0)", condition))
	}
	counts = counts.FromSelect(asFiled(c, f), "r")
	if !asksScope(c, f) {
		return numbered("?", counts)
	}
	return numbered("SELECT "+strings.Join(sums, ", ")+" FROM (? UNION ALL ?) n", counts, changes.FromSelect(sinceMoved(c, f), "r"))
}

// asksScope reports whether the result depends on the scopes of reports.
func asksScope(c permission.Coverage, f Filter) bool {
	for _, m := range c.Modules {
		if !m.Whole {
			return true
		}
	}
	return f.Scope != nil
}

// asFiled selects what the coverage and the filter admit, by the scope at filing. It reads
// the index on that scope, once for all modules with the same coverage, unless the filter
// has a more selective index.
func asFiled(c permission.Coverage, f Filter) squirrel.SelectBuilder {
	base := f.where(f.from(squirrel.Select("r.status", "r.assignee_id"))).Where(filed.only(f.Scope))
	groups := alike(c)
	if !f.byFiledIndex() || len(groups) == 0 {
		return base.Where(filed.covered(c))
	}
	all := base.Where(filedIndex.reached(groups[0]))
	for _, modules := range groups[1:] {
		all = all.SuffixExpr(squirrel.Expr("UNION ALL ?", base.Where(filedIndex.reached(modules))))
	}
	return all
}

// byFiledIndex reports whether the index on the scope at filing holds every column that the
// filter needs.
func (f Filter) byFiledIndex() bool {
	return f.AssigneeID == "" && f.Search == "" && f.TargetType == "" && f.TargetID == "" && f.Reason == "" &&
		f.After == nil && f.Before == nil && !f.Overdue && f.Except == ""
}

// sinceMoved selects the reports of moved targets with a change: 1 if the move brought them
// within the coverage and the filter, -1 if it took them out. OFFSET 0 makes the planner
// look up each target's reports instead of reading all reports.
func sinceMoved(c permission.Coverage, f Filter) squirrel.SelectBuilder {
	within := func(p place) squirrel.Sqlizer { return squirrel.And{p.covered(c), p.only(f.Scope)} }
	moved := f.where(squirrel.Select("r.status", "r.assignee_id").
		Column(squirrel.Expr("(? IS TRUE)::int - (? IS TRUE)::int AS change", within(present), within(filed))).
		From(`core_moderation_targets t CROSS JOIN LATERAL (SELECT r.* FROM core_moderation_reports r
			WHERE r.plugin_id = t.plugin_id AND r.target_type = t.target_type AND r.target_id = t.target_id OFFSET 0) r`).
		Where("t.reported AND t.moved"))
	if q := searchQuery(f.Search); q != "" {
		moved = moved.Where(squirrel.Expr("r.search @@ ?::tsquery", q))
	}
	return moved
}

// numbered replaces the placeholders of an expression by those of PostgreSQL. A list of ids,
// of which a grant may have thousands, is sent once even if the expression repeats it.
func numbered(sql string, args ...any) (string, []any, error) {
	sql, args, err := squirrel.Expr(sql, args...).ToSql()
	if err != nil {
		return "", nil, err
	}
	var out strings.Builder
	var sent []any
	numbers := map[*string]int{}
	for _, arg := range args {
		before, after, _ := strings.Cut(sql, "?")
		ids, ok := arg.([]string)
		if !ok || len(ids) == 0 {
			sent = append(sent, arg)
			fmt.Fprintf(&out, "%s$%d", before, len(sent))
		} else {
			if numbers[&ids[0]] == 0 {
				sent = append(sent, arg)
				numbers[&ids[0]] = len(sent)
			}
			fmt.Fprintf(&out, "%s$%d", before, numbers[&ids[0]])
		}
		sql = after
	}
	return out.String() + sql, sent, nil
}
