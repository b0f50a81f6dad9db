package queue

import (
	"context"
	"fmt"
)

// Open counts the tasks that are not completed, by status. It reads the index
// core_queue_by_status.
func (q *Queue) Open(ctx context.Context) (map[Status]int64, error) {
	counts := map[Status]int64{Pending: 0, Processing: 0, Failed: 0}
	rows, err := q.pool.Query(ctx, `SELECT status, count(*) FROM core_queue WHERE status IN ('pending', 'processing', 'failed') GROUP BY status`)
	if err != nil {
		return nil, fmt.Errorf("count tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var status Status
		var n int64
		if err := rows.Scan(&status, &n); err != nil {
			return nil, fmt.Errorf("count tasks: %w", err)
		}
		counts[status] = n
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("count tasks: %w", err)
	}
	return counts, nil
}
