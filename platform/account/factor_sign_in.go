package account

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account/factor"
)

// Proof proves a second factor: exactly one of its fields is set.
type Proof struct {
	Code     string          // of an authenticator app
	Passkey  json.RawMessage // the browser's response to the options
	Recovery string          // a recovery code
}

// SignInByFactor completes a sign-in after its password. It returns invalid_credentials for a wrong
// answer, and the fifth ends the sign-in; unauthorized if the sign-in has ended; rate_limited for
// codes after ten wrong answers of the account within an hour. Each proof is valid once, even if
// several servers get it at the same time.
func (s *Store) SignInByFactor(ctx context.Context, token string, p Proof, c Client) (Session, error) {
	if err := s.passwordsAllowed(); err != nil {
		return Session{}, err
	}
	if len(token) != secretLength {
		return Session{}, signInOver()
	}
	var session Session
	var refused error
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		begun, user, err := s.lockSignIn(ctx, tx, token)
		if err != nil {
			return err
		}
		if p.Code != "" {
			if err := s.mayGuess(ctx, tx, user.ID); err != nil {
				return err
			}
		}
		proved, err := s.proved(ctx, tx, user, begun, p)
		if err != nil && !errors.Is(err, factor.ErrPasskey) && !errors.Is(err, factor.ErrSealed) {
			return err
		}
		if !proved {
			refused = domain.Errorf(domain.CodeInvalidCredentials, "That is wrong, or was used already. A code of an authenticator app is good once: wait for the next one.")
			if begun.wrong+1 >= wrongPerSignIn {
				refused = signInOver()
			}
			return postgres.Exec(ctx, tx, "count a wrong answer", "UPDATE core_factor_challenges SET wrong = wrong + 1 WHERE id = $1", begun.id)
		}
		if err := postgres.Exec(ctx, tx, "end the second step", "DELETE FROM core_factor_challenges WHERE id = $1", begun.id); err != nil {
			return err
		}
		session = s.newSession(user, c)
		session.way, session.factorAt = wayPassword, &session.createdAt
		return s.insertSession(ctx, tx, session)
	})
	if errors.Is(err, errNoAccount) {
		err = signInOver()
	}
	if err = errors.Join(err, refused); err != nil {
		return Session{}, err
	}
	return session, nil
}

// mayGuess refuses codes after too many wrong answers, counted over all sign-ins and addresses.
func (s *Store) mayGuess(ctx context.Context, tx pgx.Tx, userID string) error {
	var wrong int
	var first *time.Time
	now := s.time()
	err := tx.QueryRow(ctx, `SELECT coalesce(sum(wrong), 0)::int, min(created_at) FROM core_factor_challenges WHERE user_id = $1 AND created_at > $2 AND wrong > 0`,
		userID, now.Add(-wrongWindow)).Scan(&wrong, &first)
	if err != nil || wrong < wrongPerAccount {
		return err
	}
	return &domain.Error{Code: domain.CodeRateLimited, RetryAfter: first.Add(wrongWindow).Sub(now),
		Message: "Too many wrong codes for this account: use a passkey or a recovery code, or try again later."}
}

// proved reports whether the proof is valid, and marks it as used.
func (s *Store) proved(ctx context.Context, tx pgx.Tx, user User, begun challenge, p Proof) (bool, error) {
	if p.Recovery != "" {
		return s.useRecovery(ctx, tx, user.ID, p.Recovery)
	}
	held, err := factorsOf(ctx, tx, user.ID)
	if err != nil {
		return false, err
	}
	if p.Passkey != nil {
		return s.usePasskey(ctx, tx, user, held, begun, p.Passkey)
	}
	for _, h := range held {
		if h.Kind != factor.TOTP {
			continue
		}
		secret, err := s.open(user.ID, h.ID, h.sealed)
		if err != nil {
			return false, err
		}
		if step, ok := factor.MatchTOTP(string(secret), p.Code, s.time()); ok {
			return s.advance(ctx, tx, h.ID, step)
		}
	}
	return false, nil
}

func (s *Store) usePasskey(ctx context.Context, tx pgx.Tx, user User, held []heldFactor, begun challenge, answer []byte) (bool, error) {
	if s.passkeys == nil || begun.sealed == nil {
		return false, nil
	}
	owner, each := s.passkeysOf(user, held)
	expects, err := s.open(user.ID, begun.id, begun.sealed)
	if err != nil {
		return false, err
	}
	id, count, err := s.passkeys.Proved(owner, expects, answer)
	if err != nil {
		return false, err
	}
	for i, c := range owner.Credentials {
		if string(c.ID) == string(id) {
			return s.advance(ctx, tx, each[i].ID, count)
		}
	}
	return false, nil
}

// advance records the use of a factor. It returns false if its counter would not increase: then the
// code was used before, or the authenticator is a copy. Authenticators that do not count send 0.
func (s *Store) advance(ctx context.Context, tx pgx.Tx, id string, counter int64) (bool, error) {
	tag, err := tx.Exec(ctx, "UPDATE core_factors SET counter = $2, last_used_at = $3 WHERE id = $1 AND (counter < $2 OR counter = 0 AND $2 = 0)", id, counter, s.time())
	return err == nil && tag.RowsAffected() == 1, err
}

// useRecovery deletes a recovery code, and reports whether it existed.
func (s *Store) useRecovery(ctx context.Context, tx pgx.Tx, userID, code string) (bool, error) {
	hash := HashSecret(factor.PlainRecovery(code))
	var mac []byte
	err := tx.QueryRow(ctx, "DELETE FROM core_recovery_codes WHERE hash = $1 AND user_id = $2 RETURNING mac", hash, userID).Scan(&mac)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	ok, _ := s.accepts(recoveryBinding(userID, hash), mac)
	return err == nil && ok, err
}

func recoveryBinding(userID string, hash []byte) binding { return binding{"recovery", userID, hash} }
