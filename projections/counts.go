package projections

import (
	"context"
	"fmt"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
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
// assignee of the filter. Where there are many reports, it may lag behind by a second, and
// common words are searched for among the newest reports alone.
func (p *Reports) Counts(ctx context.Context, c permission.Coverage, f Filter, userID string) (n Counts, err error) {
	f.Statuses, f.AssigneeID, f.Unassigned, f.Assigned = nil, "", false, false
	if f.hasKinds() {
		var all int
		err := p.countInto(ctx, &all, &n)(kindsQuery(c, f, tabsByKind(userID)))
		if err != nil || all > countedByRows {
			return n, err
		}
	}
	if searchQuery(f.Search) != "" {
		if n.Capped, err = p.isCommon(ctx, f); err != nil {
			return n, err
		}
	}
	return n, p.countInto(ctx, nil, &n)(rowsQuery(c, f, n.Capped, tabs("r.assignee_id", "r.assignee_id IS NULL", userID)))
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

// countInto returns a function that runs a query of the figures, after the number of all
// reports if all is not nil.
func (p *Reports) countInto(ctx context.Context, all *int, n *Counts) func(sql string, args []any, err error) error {
	return func(sql string, args []any, err error) error {
		into := []any{&n.New, &n.InProgress, &n.Done, &n.Mine, &n.Unassigned}
		if all != nil {
			into = append([]any{all}, into...)
		}
		if err == nil {
			err = p.Lists.QueryRow(ctx, sql, args...).Scan(into...)
		}
		if err != nil {
			return fmt.Errorf("count reports: %w", err)
		}
		return nil
	}
}

// total counts a list, to maxCount, as far as examinedRows of an index show, or among the
// newest reports if it is a search for common words. capped means that there may be more.
func (p *Reports) total(ctx context.Context, c permission.Coverage, f Filter) (n int, capped bool, err error) {
	if f.hasKinds() {
		sql, args, err := kindsQuery(c, f, []squirrel.Sqlizer{squirrel.Expr("true")})
		var all int
		if err == nil {
			err = p.Lists.QueryRow(ctx, sql, args...).Scan(&all, &n)
		}
		if err != nil {
			return 0, false, fmt.Errorf("count reports: %w", err)
		}
		if all > countedByRows {
			return min(n, maxCount), n > maxCount, nil
		}
	}
	common := false
	if searchQuery(f.Search) != "" {
		if common, err = p.isCommon(ctx, f); err != nil {
			return 0, false, err
		}
	}
	if common {
		sql, args, err := rowsQuery(c, f, true, []squirrel.Sqlizer{squirrel.Expr("true")})
		if err == nil {
			err = p.Lists.QueryRow(ctx, sql, args...).Scan(&n)
		}
		if err != nil {
			return 0, false, fmt.Errorf("count reports: %w", err)
		}
		return n, true, nil
	}
	sql, args, err := totalQuery(c, f)
	var examined int
	if err == nil {
		err = p.Lists.QueryRow(ctx, sql, args...).Scan(&n, &examined)
	}
	if err != nil {
		return 0, false, fmt.Errorf("count reports: %w", err)
	}
	return min(n, maxCount), n > maxCount || examined == examinedRows, nil
}
