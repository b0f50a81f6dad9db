package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/eventstore/postgres"
)

// The limits of sessions.
const (
	// sessionLifetime is how long a session lasts from signing in.
	sessionLifetime = 14 * 24 * time.Hour
	// maxSessions is how many sessions an account can have. A new one ends the oldest.
	maxSessions = 50
	// maxUserAgent bounds the stored user agent, in bytes.
	maxUserAgent = 300
)

// Session is a signed-in user. ID is the cookie's value; it is not stored and cannot be
// recovered.
type Session struct {
	ID        string
	User      User
	ExpiresAt time.Time

	// SecondStep, unless nil, is the step that is still needed: there is no session yet, and no ID.
	SecondStep *SecondStep

	client    Client
	createdAt time.Time
	way       way
	factorAt  *time.Time // when a second factor was proved
}

// way is how a session was signed in to. The empty way is unknown: a server of an earlier release created the session,
// or nobody signed in to it.
type way string

const (
	wayPassword way = "password"
	wayOIDC     way = "oidc"
)

// errNoAccount means that the account of a session is deleted or disabled.
var errNoAccount = errors.New("the account does not exist or is disabled")

// StartSession starts a session without checking a password.
func (s *Store) StartSession(ctx context.Context, userID string) (Session, error) {
	user, err := s.FindByID(ctx, userID)
	if err != nil {
		return Session{}, err
	}
	session := s.newSession(user, Client{})
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.insertSession(ctx, tx, session) })
	return session, err
}

// SignOut ends a session permanently, on every server. It succeeds if there is none.
func (s *Store) SignOut(ctx context.Context, sessionID string) error {
	if len(sessionID) != secretLength {
		return nil
	}
	return postgres.Exec(ctx, s.pool, "sign out", "DELETE FROM core_sessions WHERE hash = $1", HashSecret(sessionID))
}

func (s *Store) newSession(user User, c Client) Session {
	now := s.time()
	return Session{ID: NewSecret(), User: user, ExpiresAt: now.Add(sessionLifetime), client: c, createdAt: now}
}

// insertSession starts a session and ends the oldest ones beyond maxSessions. It locks the account's row, so that
// concurrent sessions are counted. It returns errNoAccount if the account is deleted or disabled.
func (s *Store) insertSession(ctx context.Context, tx pgx.Tx, session Session) error {
	hash := HashSecret(session.ID)
	var address *netip.Addr
	if session.client.Address.IsValid() {
		address = new(AddressKey(session.client.Address))
	}
	tag, err := tx.Exec(ctx, `
		WITH account AS (SELECT id FROM core_users WHERE id = $1 AND disabled_at IS NULL FOR NO KEY UPDATE)
		INSERT INTO core_sessions (id, hash, user_id, created_at, expires_at, address, user_agent, mac, way, factor_at)
		SELECT $2, $3, id, $4, $5, $6, $7, $8, nullif($9, ''), $10 FROM account`,
		session.User.ID, newID(), hash, session.createdAt, session.ExpiresAt, address, userAgent(session.client.UserAgent),
		s.keys.mac(sessionBinding(session.User.ID, hash)), session.way, session.factorAt)
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errNoAccount
	}
	return postgres.Exec(ctx, tx, "end the oldest sessions", `DELETE FROM core_sessions WHERE hash = ANY (ARRAY(
		SELECT hash FROM core_sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2))`, session.User.ID, maxSessions)
}

// userAgent returns the part of a user agent that is stored.
func userAgent(text string) string {
	if len(text) > maxUserAgent {
		text = text[:maxUserAgent]
	}
	text = strings.ToValidUTF8(text, "")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
}

// endSessions ends the sessions of an account except keep, if it is not "", and the sign-ins that wait for their second
// step. The latter stay until they expire, since their wrong answers still count after a change of the password.
func endSessions(ctx context.Context, db postgres.Execer, userID, keep string) error {
	if err := postgres.Exec(ctx, db, "end sign-ins", "UPDATE core_factor_challenges SET expires_at = created_at WHERE user_id = $1 AND purpose = $2", userID, challengeSignIn); err != nil {
		return err
	}
	return postgres.Exec(ctx, db, "end sessions", "DELETE FROM core_sessions WHERE user_id = $1 AND hash <> $2", userID, HashSecret(keep))
}

// EndSessions ends all sessions of an account.
func (s *Store) EndSessions(ctx context.Context, userID string) error {
	return endSessions(ctx, s.pool, userID, "")
}

// sessionUsedEvery is the precision of a session's last use.
const sessionUsedEvery = 5 * time.Minute

// sessionUsed records the use of a session. Among concurrent requests one writes, and the others do not wait for it.
func sessionUsed(ctx context.Context, pool *pgxpool.Pool, hash []byte, now time.Time) error {
	return postgres.Exec(ctx, pool, "record the use of a session", `UPDATE core_sessions SET last_used_at = $2 WHERE hash = (
		SELECT hash FROM core_sessions
		WHERE hash = $1 AND coalesce(last_used_at, created_at) <= $3
		FOR UPDATE SKIP LOCKED)`, hash, now, now.Add(-sessionUsedEvery))
}

// DeleteExpired deletes expired sessions and links, and sign-in failures, second steps and requests that no longer
// count, and returns the number of rows. Expired and revoked tokens stay, since their owner lists them.
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
