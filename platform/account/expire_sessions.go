package account

import (
	"context"
	"fmt"
	"time"
)

// DeleteExpired deletes expired sessions and links, and sign-in failures, second steps and
// requests that no longer count, and returns how many rows; a scheduled job calls it. Expired and
// revoked tokens stay, since their owner lists them.
func (s *Store) DeleteExpired(ctx context.Context) (int64, error) {
	now := s.time()
	var deleted int64
	for _, expired := range []struct {
		sql    string
		before time.Time
	}{
		{"DELETE FROM core_sessions WHERE expires_at <= $1", now},
		{"DELETE FROM core_account_links WHERE expires_at <= $1", now},
		{"DELETE FROM core_sign_in_failures WHERE failed_at <= $1", now.Add(-failureWindow)},
		{"DELETE FROM core_factor_challenges WHERE created_at <= $1", now.Add(-wrongWindow)},
		{"DELETE FROM core_forgot_requests WHERE requested_at <= $1", now.Add(-failureWindow)},
	} {
		tag, err := s.pool.Exec(ctx, expired.sql, expired.before)
		if err != nil {
			return deleted, fmt.Errorf("delete expired sessions, links and failures: %w", err)
		}
		deleted += tag.RowsAffected()
	}
	return deleted, nil
}
