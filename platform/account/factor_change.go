package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account/factor"
)

// recentFor is how long after a sign-in, or the proof of a factor, factors can be changed.
const recentFor = 10 * time.Minute

// Self is a person in a session of their own.
type Self struct {
	UserID    string
	SessionID string // the cookie
}

// factorChange is a transaction that changes the factors of an account and has locked its row.
type factorChange struct {
	pgx.Tx
	self Self
	user User
	held []heldFactor
}

// changeFactors runs do if the session is recent: within recentFor, an account with factors must have proved one in it,
// and any other must have signed in.
func (s *Store) changeFactors(ctx context.Context, self Self, do func(factorChange) error) error {
	if err := s.passwordsAllowed(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		c := factorChange{Tx: tx, self: self}
		var err error
		if c.user, err = lockAccount(ctx, tx, self.UserID); err != nil {
			return err
		}
		if c.held, err = factorsOf(ctx, tx, self.UserID); err != nil {
			return err
		}
		recent := "s.created_at"
		if len(c.held) > 0 {
			recent = "s.factor_at"
		}
		var fresh, password bool
		err = tx.QueryRow(ctx, `SELECT coalesce(`+recent+` >= $3, false), u.password_hash IS NOT NULL FROM core_sessions s JOIN core_users u ON u.id = s.user_id
			WHERE s.hash = $1 AND s.user_id = $2`, HashSecret(self.SessionID), self.UserID, s.time().Add(-recentFor)).Scan(&fresh, &password)
		switch {
		case errors.Is(err, pgx.ErrNoRows): // it has ended meanwhile
			return unauthorized()
		case err != nil:
			return fmt.Errorf("read the session: %w", err)
		case !password:
			return domain.Errorf(domain.CodeInvalidState, "This account signs in without a password, and needs no second factor here.")
		case !fresh:
			return domain.Errorf(domain.CodeSignInAgain, "Sign in again first: a change of second factors needs a sign-in of the last %d minutes.", int(recentFor.Minutes()))
		}
		return do(c)
	})
}

func lockAccount(ctx context.Context, tx pgx.Tx, userID string) (User, error) {
	return postgres.CollectFound(ctx, tx, "lock the account", scanUser, "SELECT "+userColumns+" FROM core_users u WHERE u.id = $1 FOR NO KEY UPDATE OF u", userID)
}

// addFactor adds a factor that the session has proved. The first factor ends the account's other sessions and its
// tokens that can write. codes are new recovery codes, if it is the first factor or renew is set.
func (s *Store) addFactor(ctx context.Context, c factorChange, kind factor.Kind, name string, secret []byte, counter int64, renew bool) (codes []string, err error) {
	id, now := newID(), s.time()
	var changes []ledger.Change
	if kind == factor.TOTP { // a new one replaces it
		if changes, err = s.removeFactors(ctx, c, "user_id = $1 AND kind = 'totp'", c.user.ID); err != nil {
			return nil, err
		}
	}
	b := &pgx.Batch{}
	b.Queue(`INSERT INTO core_factors (id, user_id, kind, name, secret, created_at, counter) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		id, c.user.ID, kind, name, s.seals.Seal(c.user.ID, id, secret), now, counter)
	b.Queue("DELETE FROM core_factor_challenges WHERE user_id = $1 AND purpose <> $2", c.user.ID, challengeSignIn)
	b.Queue("UPDATE core_sessions SET factor_at = $2 WHERE hash = $1", HashSecret(c.self.SessionID), now)
	err = postgres.Send(ctx, c, "add a factor", b)
	if err == nil && (len(c.held) == 0 || renew) {
		codes, err = s.newRecovery(ctx, c)
	}
	if err == nil && len(c.held) == 0 {
		if err = s.revokeWriting(ctx, c, c.user.ID); err == nil {
			err = endSessions(ctx, c, c.user.ID, c.self.SessionID)
		}
	}
	if err != nil {
		return nil, err
	}
	changes = append(changes, ledger.Change{Table: FactorLedger, Key: id, After: ledger.Row{"user_id": c.user.ID, "kind": string(kind), "created_at": now}})
	return codes, s.ledger.Append(ctx, c, c.user.ID, changes...)
}

// removeFactors deletes the factors that satisfy the condition and returns the changes for the ledger.
func (s *Store) removeFactors(ctx context.Context, tx pgx.Tx, where string, args ...any) ([]ledger.Change, error) {
	gone, err := FactorLedger.Find(ctx, tx, where+" ORDER BY 1", args...)
	if err != nil {
		return nil, err
	}
	return gone, postgres.Exec(ctx, tx, "remove factors", "DELETE FROM core_factors WHERE "+where, args...)
}

// RemoveFactor removes a factor of the session's account. Removing the last one also removes the recovery codes; the
// password then suffices again. It returns not_found if there is no such factor.
func (s *Store) RemoveFactor(ctx context.Context, self Self, id string) error {
	id, err := parseID(id)
	if err != nil {
		return err
	}
	return s.changeFactors(ctx, self, func(c factorChange) error {
		changes, err := s.removeFactors(ctx, c, "id = $1 AND user_id = $2", id, c.user.ID)
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			return domain.NotFound()
		}
		if len(c.held) == len(changes) {
			if err := withoutFactors(ctx, c, c.user.ID); err != nil {
				return err
			}
		}
		return s.ledger.Append(ctx, c, c.user.ID, changes...)
	})
}

// withoutFactors removes what remains of an account's factors after the last one was removed.
func withoutFactors(ctx context.Context, tx pgx.Tx, userID string) error {
	return execEach(ctx, tx, "end second factors", userID,
		"DELETE FROM core_recovery_codes WHERE user_id = $1",
		"DELETE FROM core_factor_challenges WHERE user_id = $1",
		"UPDATE core_sessions SET factor_at = NULL WHERE user_id = $1")
}

// ResetFactors removes all second factors of somebody who lost them, and ends their sessions. actor is who does it, ""
// for an operator. It returns not_found if there is no such account. An account without factors does not change.
func (s *Store) ResetFactors(ctx context.Context, actor, userID string, allow Allow) (User, error) {
	return s.change(ctx, userID, allow, func(tx pgx.Tx, id string) error {
		if _, err := lockAccount(ctx, tx, id); err != nil {
			return err
		}
		changes, err := s.removeFactors(ctx, tx, "user_id = $1", id)
		if err != nil || len(changes) == 0 {
			return err
		}
		if err := withoutFactors(ctx, tx, id); err != nil {
			return err
		}
		if err := endSessions(ctx, tx, id, ""); err != nil {
			return err
		}
		return s.ledger.Append(ctx, tx, actor, changes...)
	})
}
