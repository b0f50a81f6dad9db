package projections

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/domain/permission"
)

// Counts are the figures beside the board's tabs (contract section 4).
type Counts struct {
	New        int `json:"new"`
	InProgress int `json:"inProgress"`
	Done       int `json:"done"`
	Mine       int `json:"mine"`       // not done
	Unassigned int `json:"unassigned"` // not done
}

// Counts counts what the coverage reaches, whatever its status and assignee.
func (p *Reports) Counts(ctx context.Context, c permission.Coverage, f Filter, userID string) (Counts, error) {
	f.Statuses, f.AssigneeID, f.Unassigned, f.Assigned = nil, "", false, false
	sql, args, err := f.where(f.from(psql.Select(
		"count(*) FILTER (WHERE r.status = 'new')",
		"count(*) FILTER (WHERE r.status = 'in_progress')",
		"count(*) FILTER (WHERE r.status = 'done')").
		Column("count(*) FILTER (WHERE r.status <> 'done' AND r.assignee_id = ?::uuid)", userID).
		Column("count(*) FILTER (WHERE r.status <> 'done' AND r.assignee_id IS NULL)")).
		Where(covered(c))).ToSql()
	if err != nil {
		return Counts{}, fmt.Errorf("count reports: %w", err)
	}
	var n Counts
	if err := p.pool.QueryRow(ctx, sql, args...).Scan(&n.New, &n.InProgress, &n.Done, &n.Mine, &n.Unassigned); err != nil {
		return Counts{}, fmt.Errorf("count reports: %w", err)
	}
	return n, nil
}

// count counts a list, and stops one past maxCount.
func (p *Reports) count(ctx context.Context, c permission.Coverage, f Filter) (int, error) {
	sql, args, err := countQuery(c, f)
	if err != nil {
		return 0, fmt.Errorf("count reports: %w", err)
	}
	var n int
	if err := p.pool.QueryRow(ctx, sql, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count reports: %w", err)
	}
	return n, nil
}

func countQuery(c permission.Coverage, f Filter) (string, []any, error) {
	sql, args, err := f.where(f.from(psql.Select("1")).Where(covered(c))).Limit(maxCount + 1).ToSql()
	return `SELECT count(*) FROM (` + sql + `) counted`, args, err
}
