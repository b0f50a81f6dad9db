package projections

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/counts"
)

// Counts are the numbers in the board's tabs.
type Counts struct {
	New        int `json:"new"`
	InProgress int `json:"inProgress"`
	Done       int `json:"done"`
	Mine       int `json:"mine"`       // not done
	Unassigned int `json:"unassigned"` // not done
	// Capped means that only the newest reports were searched, since the words are common.
	Capped bool `json:"capped,omitempty"`
}

// Counts counts the reports within the coverage. It ignores the status and the assignee of the filter. If there are
// many reports, it may lag behind by a second, and searches for common words among the newest reports only.
func (p *Reports) Counts(ctx context.Context, c permission.Coverage, f Filter, userID string) (n Counts, err error) {
	f.Statuses, f.AssigneeID, f.Unassigned, f.Assigned = nil, "", false, false
	if f.hasKinds() {
		var many bool
		err := p.count(ctx, append([]any{&many}, n.fields()...)...)(kindsQuery(c, f, tabsByKind(userID)))
		if err != nil || many {
			return n, err
		}
	}
	if n.Capped, err = p.isCommon(ctx, f); err != nil {
		return n, err
	}
	err = p.count(ctx, n.fields()...)(rowsQuery(c, f, n.Capped, tabs("r.assignee_id", "r.assignee_id IS NULL", userID)))
	return n, err
}

// fields are the destinations of tabs.
func (n *Counts) fields() []any {
	return []any{&n.New, &n.InProgress, &n.Done, &n.Mine, &n.Unassigned}
}

func tabsByKind(userID string) []squirrel.Sqlizer {
	return tabs("r.holder", "r.holder = '"+counts.Nobody+"'", userID)
}

// tabs are the conditions for the fields of Counts, in order.
func tabs(assignee, nobody, userID string) []squirrel.Sqlizer {
	return []squirrel.Sqlizer{
		squirrel.Expr("r.status = 'new'"),
		squirrel.Expr("r.status = 'in_progress'"),
		squirrel.Expr("r.status = 'done'"),
		squirrel.Expr("r.status <> 'done' AND "+assignee+" = ?::uuid", userID),
		squirrel.Expr("r.status <> 'done' AND " + nobody),
	}
}

func (p *Reports) count(ctx context.Context, into ...any) func(sql string, args []any, err error) error {
	return postgres.ScanBuilt(ctx, p.Lists, "count reports", into...)
}

// Reports are counted in one of two ways. Summing core_moderation_counts costs the same however
// many reports there are, but may lag behind by a second. Rows are counted for filters that kinds
// do not cover, such as times and words, and while there are few, so that small boards never lag.

// kinds is the target's present scope in core_moderation_counts. The sums include the reports that Blind hides from the
// caller: they reveal that these were decided, which the caller knows, but not how.
var kinds = scopeColumns{"r.scope_family", "r.scope_id"}

// hasKinds reports whether the filter uses only what is stored in core_moderation_counts.
func (f Filter) hasKinds() bool {
	assignee := f.AssigneeID != "" || f.Unassigned || f.Assigned
	return f.Search == "" && f.Policy == "" && f.Author == nil && f.Locale == "" && f.TargetID == "" && f.After == nil && f.Before == nil && !f.Overdue && f.Tag == "" && f.Escalated == nil && f.Except == "" &&
		(!assignee || f.onlyOpen())
}

// onlyOpen reports whether the filter excludes done reports, whose kinds have no assignee.
func (f Filter) onlyOpen() bool {
	return len(f.Statuses) > 0 && !slices.Contains(f.Statuses, report.Done)
}

// kindsQuery returns the query that sums the counts within the coverage and the filter, for each of the conditions,
// which are on r.status and r.holder. The first column is whether there are more than countedByRows in total.
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
	query := squirrel.Select(counts.MoreThan(countedByRows))
	for _, condition := range conditions {
		query = query.Column(squirrel.Expr("coalesce(sum(r.reports) FILTER (WHERE ?), 0)::bigint", condition))
	}
	return numbered("?", query.FromSelect(f.where(sums).Where(within), "r"))
}

// rowsQuery returns the query that counts the rows within the coverage and the filter that meet each of the conditions
// on r.status and r.assignee_id: among all rows, or the newest ones.
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
	rows = f.where(rows).LeftJoin(JoinTarget).Where(present.covered(c)).Where(present.only(f.Scope))
	return numbered("?", query.FromSelect(rows, "r"))
}

// numbered converts the placeholders of an expression to PostgreSQL's. A list of ids, of which a grant may have
// thousands, is sent once even if the expression repeats it.
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
