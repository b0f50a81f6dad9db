package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Client is where a request comes from.
type Client struct {
	Address   netip.Addr
	UserAgent string
}

// SignIn starts a session for the account with the email and password, or the second step of an
// account with second factors. It returns invalid_credentials for a wrong password and, after the
// same time, for an account that does not exist, is disabled or has no password; validation_failed
// for what cannot be an email or password; rate_limited after too many failures in 15 minutes, even
// for the right password; unavailable if too many people sign in.
func (s *Store) SignIn(ctx context.Context, email, password string, c Client) (Session, error) {
	if err := s.passwordsAllowed(); err != nil {
		return Session{}, err
	}
	email = strings.TrimSpace(email)
	if err := checkSignIn(email, password); err != nil {
		return Session{}, err
	}
	var session Session
	err := s.prove(ctx, s.attempt(c, email), email, password, func(ctx context.Context, tx pgx.Tx, user User) error {
		session = s.newSession(user, c)
		session.way = wayPassword
		step, err := s.beginSecondStep(ctx, tx, user)
		if err == nil && step == nil {
			return s.insertSession(ctx, tx, session)
		}
		session.ID, session.SecondStep = "", step
		return err
	})
	if errors.Is(err, errNoAccount) {
		err = invalidCredentials()
	}
	if err != nil {
		return Session{}, err
	}
	return session, nil
}

func (s *Store) attempt(c Client, email string) attempt {
	return attempt{address: AddressKey(c.Address), account: accountKey(email), now: s.time()}
}

// prove checks the password of the account with the email and then runs do in a transaction. It
// checks the limits three times: before waiting for a turn, so that attempts beyond them do not
// wait; in the turn, so that they are not hashed; and after the hash, together with counting the
// failure, so that of concurrent guesses, on any server, only those within the limits get an
// answer.
func (s *Store) prove(ctx context.Context, a attempt, email, password string, do func(context.Context, pgx.Tx, User) error) error {
	if _, _, err := s.openTo(ctx, &a, email); err != nil {
		return err
	}
	leave, err := s.passwords.queue.enter(ctx, a.address)
	if err != nil {
		return err
	}
	defer leave()
	user, hash, err := s.openTo(ctx, &a, email)
	if err != nil {
		return err
	}
	right, err := s.passwords.verify(password, hash)
	if err != nil {
		return fmt.Errorf("verify password: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := a.settle(ctx, tx, !right); err != nil || !right {
			return err
		}
		now, err := postgres.CollectFound(ctx, tx, "read the password again", pgx.RowTo[string],
			`SELECT coalesce(password_hash, '') FROM core_users WHERE id = $1 FOR NO KEY UPDATE`, user.ID)
		if errors.Is(err, domain.NotFound()) || err == nil && now != hash {
			return invalidCredentials() // it was changed since it was verified
		}
		if err != nil {
			return err
		}
		return do(ctx, tx, user)
	})
	if err == nil && !right {
		return invalidCredentials()
	}
	return err
}

func checkSignIn(email, password string) error {
	var issues []domain.Issue
	switch {
	case email == "":
		issues = append(issues, fault("email", "required", "Must be given.")...)
	case len(email) > maxEmail:
		issues = append(issues, fault("email", "too_long", "An email address has at most 254 bytes.")...)
	case !storable(email):
		issues = append(issues, fault("email", "invalid_text", "This is not an email address.")...)
	}
	return domain.Invalid(append(issues, checkGivenPassword("password", password)...)...)
}

func invalidCredentials() error {
	return domain.Errorf(domain.CodeInvalidCredentials, "Email or password is wrong.")
}

func (s *Store) passwordsAllowed() error {
	if s.passwordsOff {
		return domain.Errorf(domain.CodeForbidden, "Passwords are switched off here; sign in with your organisation's account.")
	}
	return nil
}

// openTo returns an error beyond the limits, else reads the account, in one round trip that ends
// within the store's patience. It sets a.known.
func (s *Store) openTo(ctx context.Context, a *attempt, email string) (user User, hash string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	var failures []failure
	b := &pgx.Batch{}
	postgres.QueueCollect(b, &failures, pgx.RowToStructByPos[failure], failuresOfAnAddress, a.address, a.now.Add(-failureWindow))
	b.Queue("SELECT "+userColumns+`, CASE WHEN u.disabled_at IS NULL THEN coalesce(u.password_hash, '') ELSE '' END,
			EXISTS (SELECT FROM core_sessions s WHERE s.user_id = u.id AND s.address = $2 AND s.expires_at > $3)
		FROM core_users u WHERE lower(u.email) = lower($1)`, email, a.address, a.now).
		QueryRow(func(row pgx.Row) error {
			err := row.Scan(append(user.fields(), &hash, &a.known)...)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			return err
		})
	if err := s.pool.SendBatch(ctx, b).Close(); err != nil {
		return User{}, "", fmt.Errorf("read account: %w", err)
	}
	if wait := retryAfter(failures, a.account, a.known, a.now); wait > 0 {
		return User{}, "", rateLimited(wait)
	}
	return user, hash, nil
}
