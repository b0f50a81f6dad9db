package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Limits on requests for a link in any window of 15 minutes. Callers cannot see that they reached them, since the
// response is the same as for an unknown account.
const (
	forgotPerAccount = 5
	forgotPerAddress = 50
)

// Forgot mails a link to choose a new password, if the email is an account's and a mail server is configured. Its
// result and its duration do not reveal whether the account exists: it returns nil and writes to the database in either
// case.
func (s *Store) Forgot(ctx context.Context, email, language string, c Client) error {
	email = strings.TrimSpace(email)
	switch {
	case email == "":
		return domain.Invalid(fault("email", "required", "Must be given.")...)
	case len(email) > maxEmail || !storable(email) || !s.mails || s.passwordsOff:
		return nil
	}
	a := s.attempt(c, email)
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		allowed, err := a.countForgotten(ctx, tx)
		if err != nil || !allowed {
			return err
		}
		userID, err := postgres.CollectFirst(ctx, tx, "find account", pgx.RowTo[string], "SELECT id FROM core_users WHERE lower(email) = lower($1) AND disabled_at IS NULL", email)
		if err != nil || userID == nil {
			return err
		}
		link, err := s.insertLink(ctx, tx, purposeReset, userID, "", a.now)
		if err != nil {
			return err
		}
		return s.enqueueMail(ctx, tx, link, language)
	})
}

// countForgotten counts a request and reports whether it is within the limits.
func (a attempt) countForgotten(ctx context.Context, tx pgx.Tx) (allowed bool, err error) {
	if err := a.lock(ctx, tx); err != nil {
		return false, err
	}
	since := a.now.Add(-failureWindow)
	tag, err := tx.Exec(ctx, `INSERT INTO core_forgot_requests (address, account, requested_at) SELECT $1, $2, $3
		WHERE (SELECT count(*) FROM core_forgot_requests WHERE address = $1 AND requested_at > $4) < $5
		  AND (SELECT count(*) FROM core_forgot_requests WHERE account = $2 AND requested_at > $4) < $6`,
		a.address, a.account, a.now, since, forgotPerAddress, forgotPerAccount)
	if err != nil {
		return false, fmt.Errorf("count request: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// Reset redeems a link to reset a password or to accept an invitation: it sets the password and ends all sessions of
// the account, and its tokens that can write. The link works once. It stays valid after a refused password, until it
// expires.
func (s *Store) Reset(ctx context.Context, token, chosen string, c Client) error {
	if err := s.passwordsAllowed(); err != nil {
		return err
	}
	// The transaction below decides whether the link is valid; this check prevents hashing for
	// guesses.
	email, err := s.linkEmail(ctx, token)
	issues := checkChosenPassword("password", chosen, email)
	if link, ok := errors.AsType[*domain.Error](err); ok {
		issues, err = append(link.Issues, issues...), nil
	}
	if err := cmp.Or(err, domain.Invalid(issues...)); err != nil {
		return err
	}
	hash, err := s.passwords.hash(ctx, AddressKey(c.Address), chosen)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		userID, err := s.useLink(ctx, tx, token)
		if err != nil {
			return err
		}
		if userID == nil {
			return unusableLink()
		}
		return s.replacePassword(ctx, tx, *userID, hash, "", false)
	})
}
