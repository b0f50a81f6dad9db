package eventstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/batch"
	"github.com/docketmod/docket/eventstore/postgres"
)

// CountAttempt implements moderation.Log. The hour slides by whole minutes. Attempts that
// arrive at the same time are counted in one batch.
func (s *Store) CountAttempt(ctx context.Context, userID string, now time.Time) error {
	a, err := s.attempts.Do(ctx, attempt{userID, now})
	if err != nil {
		return fmt.Errorf("count filing attempt: %w", err)
	}
	return report.CheckAttempts(a.count, a.oldest, now)
}

// TrimAttempts forgets the attempts that no limit counts any more.
func (s *Store) TrimAttempts(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM core_moderation_attempts WHERE minute < now() - interval '2 hours'`)
	return err
}

// attempt is one call of CountAttempt.
type attempt struct {
	userID string
	at     time.Time
}

// counted is the answer to an attempt.
type counted struct {
	count  int       // of the user's attempts within the hour, this one included
	oldest time.Time // the minute of the first of them
}

// countBatch adds n attempts of each user to their current minute and returns how many
// each made within the hour. It commits without waiting for the disk, so a filing waits
// for the disk only once; a crash may lose the most recent counts.
const countBatch = `
	WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)),
	batch AS (SELECT user_id, at, date_trunc('minute', at) AS minute, n FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS r(user_id, at, n)),
	now AS (INSERT INTO core_moderation_attempts AS a (user_id, minute, attempts) SELECT user_id, minute, n FROM batch, quick
		ON CONFLICT (user_id, minute) DO UPDATE SET attempts = a.attempts + excluded.attempts RETURNING user_id, minute, attempts)
	SELECT r.user_id::text, now.attempts + coalesce(before.attempts, 0), least(now.minute, before.minute)
	FROM batch r JOIN now USING (user_id) CROSS JOIN LATERAL (
		SELECT sum(attempts)::int AS attempts, min(a.minute) AS minute FROM core_moderation_attempts a
		WHERE a.user_id = r.user_id AND a.minute > r.at - interval '1 hour' AND a.minute <> r.minute) before`

func (s *Store) countAttempts(ctx context.Context, attempts []attempt) ([]counted, error) {
	byUser := make(map[string][]int, len(attempts)) // indexes of attempts
	for i, a := range attempts {
		byUser[a.userID] = append(byUser[a.userID], i)
	}
	users := slices.Sorted(maps.Keys(byUser)) // in one order, so that two servers cannot deadlock
	at, n := make([]time.Time, len(users)), make([]int, len(users))
	for i, id := range users {
		at[i], n[i] = attempts[byUser[id][0]].at, len(byUser[id])
	}
	// Counting an attempt twice is harmless, so these writes are not tracked.
	all := make([]counted, len(attempts))
	b := &pgx.Batch{}
	postgres.QueueGenericPlans(b)
	batch.QueueLockTimeout(ctx, b)
	b.Queue(countBatch, users, at, n).Query(func(rows pgx.Rows) error {
		var id string
		var c counted
		_, err := pgx.ForEachRow(rows, []any{&id, &c.count, &c.oldest}, func() error {
			for i, index := range byUser[id] {
				all[index] = counted{c.count - len(byUser[id]) + i + 1, c.oldest}
			}
			return nil
		})
		return err
	})
	return all, s.pool.SendBatch(postgres.Untracked(ctx), b).Close()
}
