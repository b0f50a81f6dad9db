package projections

import (
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
)

// Counting goes by where targets were when their reports were filed, which is in
// an index of the reports, and not by where they are now, which would take a join
// for each report. The reports of the few targets that have moved since
// (core_moderation_targets.moved) are then put where they are now: those that
// went are taken off and those that came are added, in the same snapshot. So
// what is counted is what the list shows.

// countQuery counts a list up to one past maxCount.
func countQuery(c permission.Coverage, f Filter) (string, []any, error) {
	if !asksScope(c, f) {
		return numbered("SELECT count(*) FROM (? LIMIT ?) r", asFiled(c, f), maxCount+1)
	}
	return numbered(`SELECT least((SELECT count(*) FROM (? LIMIT ?::bigint + m.went) r) - m.went + m.came, ?)
		FROM (SELECT count(*) FILTER (WHERE r.change < 0) AS went, count(*) FILTER (WHERE r.change > 0) AS came FROM (?) r) m`,
		asFiled(c, f), maxCount+1, maxCount+1, sinceMoved(c, f))
}

// tallyQuery counts all that the coverage and the filter let through, for each
// of the conditions on r.status and r.assignee_id.
func tallyQuery(c permission.Coverage, f Filter, conditions []squirrel.Sqlizer) (string, []any, error) {
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

// asksScope tells whether it matters in which resource a report is.
func asksScope(c permission.Coverage, f Filter) bool {
	for _, m := range c.Modules {
		if !m.Whole {
			return true
		}
	}
	return f.Scope != nil
}

// asFiled selects what the coverage and the filter let through by the scope at
// filing: from the index on that, one scan for the modules that are alike,
// unless the filter has an index that leads to fewer.
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

// byFiledIndex tells whether the index on the scope at filing has all that the
// filter asks for.
func (f Filter) byFiledIndex() bool {
	return f.AssigneeID == "" && f.Search == "" && f.TargetType == "" && f.TargetID == "" && f.Reason == "" &&
		f.After == nil && f.Before == nil && f.Except == ""
}

// sinceMoved selects the reports of moved targets with what that changes: 1 for
// those that came within the coverage and the filter, -1 for those that went.
// OFFSET 0 has each target's reports looked up, where the planner would rather
// read all reports.
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

// numbered gives an expression the placeholders of PostgreSQL. The resources of a
// grant, which may be thousands, are sent once however often they are asked for.
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
