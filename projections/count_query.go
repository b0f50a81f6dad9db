package projections

import (
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/projections/counts"
)

// Reports are counted in one of two ways. core_moderation_counts holds the number of reports
// of each kind; summing it costs the same however many reports there are, but it may lag
// behind by a second. Rows are counted for filters that kinds do not cover, such as times
// and words, and while there are few reports, so that small boards never lag.

// countedByRows is the number of reports up to which rows are counted.
const countedByRows = 1000

// examinedRows bounds how many rows are read to count the total of a list.
const examinedRows = 20_000

// maxCount is the number at which the total of a list stops.
const maxCount = 10_000

// kinds is the scope of the target now, in core_moderation_counts.
var kinds = scopeColumns{"r.scope_family", "r.scope_id"}

// hasKinds reports whether the filter can be answered from the kinds of reports.
func (f Filter) hasKinds() bool {
	assignee := f.AssigneeID != "" || f.Unassigned || f.Assigned
	return f.Search == "" && f.TargetID == "" && f.After == nil && f.Before == nil && !f.Overdue && f.Except == "" &&
		(!assignee || f.onlyOpen())
}

// onlyOpen reports whether the filter excludes reports that are done, whose kind does not
// include an assignee.
func (f Filter) onlyOpen() bool {
	for _, s := range f.Statuses {
		if s == report.Done {
			return false
		}
	}
	return len(f.Statuses) > 0
}

// kindsQuery sums what the coverage and the filter admit, for each of the conditions, which
// are on r.status and r.holder; before them, how many reports there are at all.
func kindsQuery(c permission.Coverage, f Filter, conditions []squirrel.Sqlizer) (string, []any, error) {
	within := squirrel.And{kinds.covered(c), kinds.only(f.Scope)}
	if f.AssigneeID != "" {
		within = append(within, squirrel.Expr("r.holder = ?::uuid", f.AssigneeID))
	}
	if f.Unassigned {
		within = append(within, squirrel.Expr("r.holder = ?::uuid", counts.Nobody))
	}
	if f.Assigned {
		within = append(within, squirrel.Expr("r.holder <> ?::uuid", counts.Nobody))
	}
	f.AssigneeID, f.Unassigned, f.Assigned = "", false, false
	sums := squirrel.Select("r.status", "r.holder", "r.reports").From("core_moderation_counts r")
	query := squirrel.Select(counts.All)
	for _, condition := range conditions {
		query = query.Column(squirrel.Expr("coalesce(sum(r.reports) FILTER (WHERE ?), 0)::bigint", condition))
	}
	return numbered("?", query.FromSelect(f.where(sums).Where(within), "r"))
}

// rowsQuery counts the rows that the coverage and the filter admit and that meet each of the
// conditions on r.status and r.assignee_id: of all rows, or of the newest ones.
func rowsQuery(c permission.Coverage, f Filter, newest bool, conditions []squirrel.Sqlizer) (string, []any, error) {
	query := squirrel.Select()
	for _, condition := range conditions {
		query = query.Column(squirrel.Expr("count(*) FILTER (WHERE ?)", condition))
	}
	rows := squirrel.Select("r.status", "r.assignee_id")
	if newest {
		rows = f.search(newestQuery(rows))
	} else {
		rows = f.from(rows)
	}
	rows = f.where(rows).LeftJoin(joinTarget).Where(present.covered(c)).Where(present.only(f.Scope))
	return numbered("?", query.FromSelect(rows, "r"))
}

// totalQuery counts the rows of a list among the first examinedRows that an index finds, and
// how many those are. It stops counting at maxCount + 1.
func totalQuery(c permission.Coverage, f Filter) (string, []any, error) {
	found, rest := f.byIndex()
	rows := rest.where(squirrel.Select("1").FromSelect(found.Limit(examinedRows), "r")).LeftJoin(joinTarget).
		Where(present.covered(c)).Where(present.only(f.Scope)).Limit(maxCount + 1)
	return numbered("SELECT (SELECT count(*) FROM (?) r), (SELECT count(*) FROM (?) r)", rows, found.Limit(examinedRows))
}

// byIndex selects reports by the part of the filter that one index covers, and returns the
// rest of the filter.
func (f Filter) byIndex() (found squirrel.SelectBuilder, rest Filter) {
	var by Filter
	rest = f
	switch {
	case f.Search != "":
		by.Search, rest.Search = f.Search, ""
	case f.PluginID != "" && f.TargetType != "" && f.TargetID != "":
		by.PluginID, by.TargetType, by.TargetID = f.PluginID, f.TargetType, f.TargetID
		rest.PluginID, rest.TargetType, rest.TargetID = "", "", ""
	case f.AssigneeID != "":
		by.AssigneeID, rest.AssigneeID = f.AssigneeID, ""
	case f.Overdue:
		by.Overdue, rest.Overdue = true, false
	case f.Muted != nil && *f.Muted:
		by.Muted, rest.Muted = f.Muted, nil
	default:
		by.Statuses, by.After, by.Before = f.Statuses, f.After, f.Before
		rest.Statuses, rest.After, rest.Before = nil, nil, nil
	}
	return by.where(by.from(squirrel.Select("r.*"))), rest
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
