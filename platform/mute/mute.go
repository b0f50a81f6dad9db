// Package mute stores which reporters are muted. Their reports are stored, but have no weight
// and stay off the board.
package mute

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Store is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	now  func() time.Time
	seal func(context.Context, pgx.Tx) error
}

// New makes a store. seal comes last in the transaction of each change and signs what that
// added to the staff history.
func New(pool *pgxpool.Pool, now func() time.Time, seal func(context.Context, pgx.Tx) error) *Store {
	return &Store{pool: pool, now: now, seal: seal}
}

// Mute is one mute of an account.
type Mute struct {
	Until       time.Time
	Reason      string
	MutedBy     string // "" once the account is deleted
	MutedByName string
	MutedAt     time.Time
	EndedAt     *time.Time // when it was ended early
}

// Reporter is an account with the times it was muted, the latest first.
type Reporter struct {
	ID         string
	Name       string
	MutedUntil *time.Time // nil if it is not muted
	Mutes      []Mute
}

// The bounds of a mute.
const (
	// Longest is how far in the future a mute may end.
	Longest = 10 * 366 * 24 * time.Hour
	// maxMutes is how many of the latest mutes of an account are shown.
	maxMutes = 50
)

// Mute mutes an account until a time; this replaces a present mute. It returns NotFound for
// an account that does not exist.
func (s *Store) Mute(ctx context.Context, userID string, until time.Time, reason, actorID string) error {
	return s.change(ctx, userID, actorID, &until, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO core_mutes (id, user_id, until, reason, muted_by, muted_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			uuid.Must(uuid.NewV7()), userID, until, reason, actorID, s.now())
		return err
	})
}

// Unmute ends the present mute of an account. It does nothing if the account is not muted.
func (s *Store) Unmute(ctx context.Context, userID, actorID string) error {
	return s.change(ctx, userID, actorID, nil, func(pgx.Tx) error { return nil })
}

// change locks the account, ends its present mute, and records the change in the history.
func (s *Store) change(ctx context.Context, userID, actorID string, until *time.Time, add func(pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		now := s.now()
		before, err := postgres.CollectFound(ctx, tx, "read its mute", pgx.RowTo[*time.Time], `SELECT muted_until FROM core_users WHERE id = $1 FOR NO KEY UPDATE`, userID)
		if err != nil {
			return err
		}
		muted := before != nil && now.Before(*before)
		if !muted {
			before = nil
			if until == nil {
				return nil
			}
		}
		if _, err := tx.Exec(ctx, `UPDATE core_mutes SET ended_at = $2, ended_by = $3 WHERE user_id = $1 AND ended_at IS NULL AND until > $2`,
			userID, now, actorID); err != nil {
			return err
		}
		if err := add(tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE core_users SET muted_until = $2 WHERE id = $1`, userID, until); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO core_staff_history (entry_id, kind, user_id, actor_id, action, before, after)
			VALUES ($1, 'mute', $1, $2, $3, $4, $5)`, userID, actorID, action(before, until), rights(before), rights(until))
		if err != nil {
			return err
		}
		return s.seal(ctx, tx)
	})
	if err != nil && !errors.Is(err, domain.NotFound()) {
		return fmt.Errorf("mute an account: %w", err)
	}
	return err
}

func action(before, after *time.Time) string {
	switch {
	case before == nil:
		return "created"
	case after == nil:
		return "deleted"
	}
	return "updated"
}

// rights is a mute as the staff history keeps it: without its reason, which goes with the
// account.
func rights(until *time.Time) any {
	if until == nil {
		return nil
	}
	return map[string]string{"until": until.UTC().Format(domain.TimeLayout)}
}

// Find returns an account with its mutes, or NotFound.
func (s *Store) Find(ctx context.Context, userID string) (Reporter, error) {
	r, err := postgres.CollectFound(ctx, s.pool, "find a reporter", func(row pgx.CollectableRow) (r Reporter, err error) {
		return r, row.Scan(&r.ID, &r.Name, &r.MutedUntil)
	}, `SELECT id, name, CASE WHEN muted_until > $2 THEN muted_until END FROM core_users WHERE id = $1`, userID, s.now())
	if err != nil {
		return r, err
	}
	r.Mutes, err = postgres.Collect(ctx, s.pool, "list mutes", pgx.RowToStructByPos[Mute], `SELECT m.until, m.reason, coalesce(m.muted_by::text, ''), coalesce(u.name, ''), m.muted_at, m.ended_at
		FROM core_mutes m LEFT JOIN core_users u ON u.id = m.muted_by WHERE m.user_id = $1 ORDER BY m.muted_at DESC LIMIT $2`, userID, maxMutes)
	return r, err
}
