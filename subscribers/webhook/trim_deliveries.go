package webhook

import (
	"context"
	"fmt"
	"time"
)

// keepDeliveries is how long delivered and failed deliveries stay listed.
const keepDeliveries = 30 * 24 * time.Hour

// Trim deletes deliveries that ended more than 30 days ago, or that were created then
// and abandoned, and returns how many. It is the handler of a scheduled job.
func (s *Store) Trim(ctx context.Context) (n int64, err error) {
	before := s.now().Add(-keepDeliveries)
	for _, old := range []string{`completed_at < $1`, `created_at < $1 AND ` + isAbandoned} {
		tag, err := s.pool.Exec(ctx, `DELETE FROM core_webhook_deliveries d WHERE `+old, before)
		if err != nil {
			return n, fmt.Errorf("trim deliveries: %w", err)
		}
		n += tag.RowsAffected()
	}
	return n, nil
}
