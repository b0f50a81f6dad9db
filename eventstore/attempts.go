package eventstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/report"
)

// CountAttempt implements moderation.Log. The hour slides by minutes. Under load the
// attempts of many are counted together.
func (s *Store) CountAttempt(ctx context.Context, userID string, now time.Time) error {
	a := &attempt{userID: userID, at: now, counted: make(chan struct{})}
	s.attempts.add(a)
	select {
	case <-a.counted:
	case <-ctx.Done():
		return fmt.Errorf("count filing attempt: %w", context.Cause(ctx))
	}
	if a.err != nil {
		return fmt.Errorf("count filing attempt: %w", a.err)
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

// countTimeout bounds the counting of a round.
const countTimeout = 10 * time.Second

// attempt is a filing that wants to be counted.
type attempt struct {
	userID  string
	at      time.Time
	counted chan struct{} // closed when what follows is set

	count  int       // of the user's attempts within the hour, this one included
	oldest time.Time // the minute of the first of them
	err    error
}

// attempts counts in rounds: what comes while one is under way is the next, so that
// a round costs one round trip however many wait for it.
type attempts struct {
	pool *pgxpool.Pool

	mu      sync.Mutex
	waiting []*attempt
	running bool
}

func (c *attempts) add(a *attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, a)
	if !c.running {
		c.running = true
		go c.run()
	}
}

// run counts until nobody waits.
func (c *attempts) run() {
	for {
		c.mu.Lock()
		round := c.waiting
		c.waiting = nil
		c.running = len(round) > 0
		c.mu.Unlock()
		if len(round) == 0 {
			return
		}
		err := c.count(round)
		for _, a := range round {
			a.err = err
			close(a.counted)
		}
	}
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

func (c *attempts) count(round []*attempt) error {
	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()
	of := make(map[string][]*attempt, len(round))
	for _, a := range round {
		of[a.userID] = append(of[a.userID], a)
	}
	users := make([]string, 0, len(of))
	for id := range of {
		users = append(users, id)
	}
	slices.SortFunc(users, strings.Compare) // no two servers lock rows in each other's way
	at, n := make([]time.Time, len(users)), make([]int, len(users))
	for i, id := range users {
		at[i], n[i] = of[id][0].at, len(of[id])
	}
	rows, err := c.pool.Query(ctx, countRound, users, at, n)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var count int
		var oldest time.Time
		if err := rows.Scan(&id, &count, &oldest); err != nil {
			return err
		}
		mine := of[id]
		for i, a := range mine {
			a.count, a.oldest = count-len(mine)+i+1, oldest
		}
	}
	return rows.Err()
}
