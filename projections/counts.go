package projections

import (
	"context"
	"fmt"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/permission"
)

// Counts are the figures beside the board's tabs.
type Counts struct {
	New        int `json:"new"`
	InProgress int `json:"inProgress"`
	Done       int `json:"done"`
	Mine       int `json:"mine"`       // not done
	Unassigned int `json:"unassigned"` // not done
}

// Counts counts the reports that the coverage reaches. It ignores the status and the
// assignee of the filter.
func (p *Reports) Counts(ctx context.Context, c permission.Coverage, f Filter, userID string) (Counts, error) {
	sql, args, err := countsQuery(c, f, userID)
	if err != nil {
		return Counts{}, fmt.Errorf("count reports: %w", err)
	}
	var n Counts
	if err := p.Lists.QueryRow(ctx, sql, args...).Scan(&n.New, &n.InProgress, &n.Done, &n.Mine, &n.Unassigned); err != nil {
		return Counts{}, fmt.Errorf("count reports: %w", err)
	}
	return n, nil
}

func countsQuery(c permission.Coverage, f Filter, userID string) (string, []any, error) {
	f.Statuses, f.AssigneeID, f.Unassigned, f.Assigned = nil, "", false, false
	return countEachQuery(c, f, []squirrel.Sqlizer{
		squirrel.Expr("r.status = 'new'"),
		squirrel.Expr("r.status = 'in_progress'"),
		squirrel.Expr("r.status = 'done'"),
		squirrel.Expr("r.status <> 'done' AND r.assignee_id = ?::uuid", userID),
		squirrel.Expr("r.status <> 'done' AND r.assignee_id IS NULL"),
	})
}

// count counts a list and stops at maxCount + 1.
func (p *Reports) count(ctx context.Context, c permission.Coverage, f Filter) (int, error) {
	sql, args, err := countQuery(c, f)
	if err != nil {
		return 0, fmt.Errorf("count reports: %w", err)
	}
	var n int
	if err := p.Lists.QueryRow(ctx, sql, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count reports: %w", err)
	}
	return n, nil
}
