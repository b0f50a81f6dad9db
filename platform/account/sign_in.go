package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// maxGivenPassword is the longest password that is looked at, in bytes; no
// account has one as long.
const maxGivenPassword = 1024

// SignIn starts a session for the account with the email and password. An
// account that is not there, one without a password and a wrong password are
// answered alike, by invalid_credentials, and take as long. Errors besides:
// validation_failed for what can be no email or password, rate_limited by the
// failures of the last 15 minutes, even for the right password.
func (s *Store) SignIn(ctx context.Context, email, password string, address netip.Addr) (Session, error) {
	email = strings.TrimSpace(email)
	if err := checkSignIn(email, password); err != nil {
		return Session{}, err
	}
	// Within a slot, so that of a thousand guesses sent at once those beyond the
	// limits find them reached and cost no hash.
	release, err := s.passwords.slot(ctx)
	if err != nil {
		return Session{}, err
	}
	defer release()

	a := attempt{address: addressKey(address), account: accountKey(email), now: s.time()}
	user, hash, err := s.openTo(ctx, a, email)
	if err != nil {
		return Session{}, err
	}
	right, err := s.passwords.verify(password, hash)
	if err != nil {
		return Session{}, fmt.Errorf("verify password: %w", err)
	}

	// What the attempt found out is told only within the limits, which are decided
	// after the fact: of guesses hashed at once, here and on other servers, ten
	// are answered.
	session := s.newSession(user)
	err = s.settle(ctx, a, right, session)
	if deleted := foreignKeyBroken(err); deleted || err == nil && !right {
		return Session{}, invalidCredentials()
	}
	if err != nil {
		return Session{}, err
	}
	return session, nil
}

// settle counts a failure, or stores the session. It ends within the store's patience.
func (s *Store) settle(ctx context.Context, a attempt, right bool, session Session) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := a.settle(ctx, tx, !right); err != nil || !right {
			return err
		}
		return insertSession(ctx, tx, session, a.now)
	})
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
	switch {
	case password == "":
		issues = append(issues, fault("password", "required", "Must be given.")...)
	case len(password) > maxGivenPassword:
		issues = append(issues, fault("password", "too_long", "A password has at most 1024 bytes.")...)
	}
	return domain.Invalid(issues...)
}

func invalidCredentials() error {
	return domain.Errorf(domain.CodeInvalidCredentials, "Email or password is wrong.")
}

// openTo turns away an attempt that is over the limits already, before it
// costs a password hash, and reads the account. Both are one round trip, which
// ends within the store's patience.
func (s *Store) openTo(ctx context.Context, a attempt, email string) (user User, hash string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	var failures []failure
	batch := &pgx.Batch{}
	batch.Queue(failuresOfAnAddress, a.address, a.now.Add(-failureWindow)).Query(func(rows pgx.Rows) error {
		var err error
		failures, err = pgx.CollectRows(rows, scanFailure)
		return err
	})
	batch.Queue("SELECT "+userColumns+", coalesce(u.password_hash, '') FROM core_users u WHERE lower(u.email) = lower($1)", email).
		QueryRow(func(row pgx.Row) error {
			err := row.Scan(&user.ID, &user.Email, &user.Name, &user.Demo, &user.CreatedAt, &hash)
			user.CreatedAt = user.CreatedAt.UTC()
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			return err
		})
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return User{}, "", fmt.Errorf("read account: %w", err)
	}
	if wait := retryAfter(failures, a.account, a.now); wait > 0 {
		return User{}, "", rateLimited(wait)
	}
	return user, hash, nil
}
