package eventstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// CountAttempt implements moderation.Log. The hour slides by minutes. Under load the
// attempts of many are counted together.
func (s *Store) CountAttempt(ctx context.Context, userID string, now time.Time) error {
	a, err := s.attempts.Ask(ctx, attempt{userID, now})
	if err != nil {
		return fmt.Errorf("count filing attempt: %w", err)
	}
	if a.count > report.AttemptsPerHour {
		return rateLimited(a.oldest.Add(time.Hour+time.Minute).Sub(now), "You have tried to file too many reports within an hour.")
	}
	return nil
}

// TrimAttempts forgets the attempts that no limit counts any more.
func (s *Store) TrimAttempts(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM core_moderation_attempts WHERE minute < now() - interval '2 hours'`)
	return err
}

// attempt is a filing that wants to be counted.
type attempt struct {
	userID string
	at     time.Time
}

// counted is how an attempt stands.
type counted struct {
	count  int       // of the user's attempts within the hour, this one included
	oldest time.Time // the minute of the first of them
}

// countRound adds n attempts of each user to their minute, and gives how many each
// has within the hour. The count is committed without waiting for the disk, which a
// crash may cost the last moments of it; a filing would wait twice otherwise.
const countRound = `
	WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)),
	round AS (SELECT user_id, at, date_trunc('minute', at) AS minute, n FROM unnest($1::uuid[], $2::timestamptz[], $3::int[]) AS r(user_id, at, n)),
	now AS (INSERT INTO core_moderation_attempts AS a (user_id, minute, attempts) SELECT user_id, minute, n FROM round, quick
		ON CONFLICT (user_id, minute) DO UPDATE SET attempts = a.attempts + excluded.attempts RETURNING user_id, minute, attempts)
	SELECT r.user_id::text, now.attempts + coalesce(before.attempts, 0), least(now.minute, before.minute)
	FROM round r JOIN now USING (user_id) CROSS JOIN LATERAL (
		SELECT sum(attempts)::int AS attempts, min(a.minute) AS minute FROM core_moderation_attempts a
		WHERE a.user_id = r.user_id AND a.minute > r.at - interval '1 hour' AND a.minute <> r.minute) before`

func (s *Store) countAttempts(ctx context.Context, round []attempt) ([]counted, error) {
	of := make(map[string][]int, len(round)) // the places of each user's
	for i, a := range round {
		of[a.userID] = append(of[a.userID], i)
	}
	users := slices.Sorted(maps.Keys(of)) // no two servers lock rows in each other's way
	at, n := make([]time.Time, len(users)), make([]int, len(users))
	for i, id := range users {
		at[i], n[i] = round[of[id][0]].at, len(of[id])
	}
	rows, err := s.pool.Query(ctx, countRound, users, at, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make([]counted, len(round))
	for rows.Next() {
		var id string
		var c counted
		if err := rows.Scan(&id, &c.count, &c.oldest); err != nil {
			return nil, err
		}
		mine := of[id]
		for i, place := range mine {
			all[place] = counted{c.count - len(mine) + i + 1, c.oldest}
		}
	}
	return all, rows.Err()
}
