package projections

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/projections/counts"
)

// Counts are the figures beside the board's tabs.
type Counts struct {
	New        int `json:"new"`
	InProgress int `json:"inProgress"`
	Done       int `json:"done"`
	Mine       int `json:"mine"`       // not done
	Unassigned int `json:"unassigned"` // not done
	// Capped means that only the newest reports were searched, since the words are common.
	Capped bool `json:"capped,omitempty"`
}

// Counts counts the reports that the coverage reaches. It ignores the status and the
// assignee of the filter. If there are many reports, it may lag behind by a second, and it
// searches for common words among the newest reports only.
func (p *Reports) Counts(ctx context.Context, c permission.Coverage, f Filter, userID string) (n Counts, err error) {
	f.Statuses, f.AssigneeID, f.Unassigned, f.Assigned = nil, "", false, false
	if f.hasKinds() {
		var all int
		err := p.count(ctx, append([]any{&all}, n.fields()...)...)(kindsQuery(c, f, tabsByKind(userID)))
		if err != nil || all > countedByRows {
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

// tabs are the conditions of the figures of Counts, in their order.
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

// total counts a list: up to maxCount and among the first examinedRows of an index, or among
// the newest reports if it searches for common words. capped means that there may be more.
func (p *Reports) total(ctx context.Context, c permission.Coverage, f Filter) (n int, capped bool, err error) {
	every := []squirrel.Sqlizer{squirrel.Expr("true")}
	if f.hasKinds() {
		var all int
		err := p.count(ctx, &all, &n)(kindsQuery(c, f, every))
		if err != nil || all > countedByRows {
			return min(n, maxCount), n > maxCount, err
		}
	}
	common, err := p.isCommon(ctx, f)
	if err != nil {
		return 0, false, err
	}
	if common {
		err = p.count(ctx, &n)(rowsQuery(c, f, true, every))
		return n, true, err
	}
	var examined int
	err = p.count(ctx, &n, &examined)(totalQuery(c, f))
	return min(n, maxCount), n > maxCount || examined == examinedRows, err
}
