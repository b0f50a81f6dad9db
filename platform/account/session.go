package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Session is a signed-in user. ID is what the cookie holds; it is not stored
// and cannot be found again.
type Session struct {
	ID        string
	User      User
	ExpiresAt time.Time
}

// StartSession signs a user in without asking for a password.
func (s *Store) StartSession(ctx context.Context, userID string) (Session, error) {
	user, err := s.FindByID(ctx, userID)
	if err != nil {
		return Session{}, err
	}
	session := s.newSession(user)
	if err := insertSession(ctx, s.pool, session, s.time()); err != nil {
		return Session{}, err
	}
	return session, nil
}

// SignOut ends a session for good, on every server. One that is not there has
// ended already.
func (s *Store) SignOut(ctx context.Context, sessionID string) error {
	if len(sessionID) != secretLength {
		return nil
	}
	if _, err := s.pool.Exec(ctx, "DELETE FROM core_sessions WHERE hash = $1", hashSecret(sessionID)); err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

func (s *Store) newSession(user User) Session {
	return Session{ID: newSecret(), User: user, ExpiresAt: s.time().Add(s.lifetime)}
}

// insertSession answers like signing in to an account deleted meanwhile does:
// with the foreign key's error, or not at all.
func insertSession(ctx context.Context, db execer, session Session, now time.Time) error {
	_, err := db.Exec(ctx, "INSERT INTO core_sessions (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
		hashSecret(session.ID), session.User.ID, now, session.ExpiresAt)
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	return nil
}

// DeleteExpired removes expired sessions and sign-in failures that count no
// more, and says how many rows; a scheduled job calls it. Expired and revoked
// tokens stay, since their owner lists them.
func (s *Store) DeleteExpired(ctx context.Context) (int64, error) {
	now := s.time()
	var deleted int64
	batch := &pgx.Batch{}
	batch.Queue("DELETE FROM core_sessions WHERE expires_at <= $1", now)
	batch.Queue("DELETE FROM core_sign_in_failures WHERE failed_at <= $1", now.Add(-failureWindow))
	results := s.pool.SendBatch(ctx, batch)
	for range batch.Len() {
		tag, err := results.Exec()
		if err != nil {
			_ = results.Close()
			return 0, fmt.Errorf("delete expired sessions and failures: %w", err)
		}
		deleted += tag.RowsAffected()
	}
	if err := results.Close(); err != nil {
		return 0, fmt.Errorf("delete expired sessions and failures: %w", err)
	}
	return deleted, nil
}
