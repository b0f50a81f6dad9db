package account

import (
	"context"
	"net/netip"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// CheckPasswordChange returns the faults of a new password for the account with the email.
func CheckPasswordChange(current, chosen, email string) []domain.Issue {
	return append(checkGivenPassword("current", current), checkChosenPassword("new", chosen, email)...)
}

// ChangePassword replaces a person's own password and ends every other session of the account, and its tokens that can
// write unless keepTokens is set. A wrong current password is invalid_credentials and counts like a failed sign-in.
// sessionID is the cookie of the session to keep, or "".
func (s *Store) ChangePassword(ctx context.Context, userID, sessionID, current, chosen string, keepTokens bool, c Client) error {
	if err := s.passwordsAllowed(); err != nil {
		return err
	}
	user, err := s.FindByID(ctx, userID)
	if err != nil {
		return err
	}
	if err := domain.Invalid(CheckPasswordChange(current, chosen, user.Email)...); err != nil {
		return err
	}
	if user.Email == "" {
		return domain.Errorf(domain.CodeInvalidState, "This account has no email address to sign in with.")
	}
	// It hashes first, since a transaction must not wait for a turn.
	hash, err := s.passwords.hash(ctx, AddressKey(c.Address), chosen)
	if err != nil {
		return err
	}
	return s.prove(ctx, s.attempt(c, user.Email), user.Email, current, func(ctx context.Context, tx pgx.Tx, user User) error {
		if user.ID != userID {
			return invalidCredentials()
		}
		return s.replacePassword(ctx, tx, userID, hash, sessionID, keepTokens)
	})
}

// SetPassword sets the password of an account, as an operator requests, and ends all sessions of the account, and its
// tokens that can write unless keepTokens is set.
func (s *Store) SetPassword(ctx context.Context, userID, chosen string, keepTokens bool) error {
	user, err := s.FindByID(ctx, userID)
	if err != nil {
		return err
	}
	if err := domain.Invalid(checkChosenPassword("password", chosen, user.Email)...); err != nil {
		return err
	}
	hash, err := s.passwords.hash(ctx, netip.Addr{}, chosen)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.replacePassword(ctx, tx, userID, hash, "", keepTokens) })
}

// replacePassword stores the hash and ends the account's links to choose a password, its sessions except keep, and its
// tokens that can write unless keepTokens is set. It returns not_found if the account does not exist.
func (s *Store) replacePassword(ctx context.Context, tx pgx.Tx, userID, hash, keep string, keepTokens bool) error {
	if err := postgres.ExecFound(ctx, tx, "store password", "UPDATE core_users SET password_hash = $2 WHERE id = $1", userID, hash); err != nil {
		return err
	}
	if err := postgres.Exec(ctx, tx, "end links", "DELETE FROM core_account_links WHERE user_id = $1", userID); err != nil {
		return err
	}
	if !keepTokens {
		if err := s.revokeWriting(ctx, tx, userID); err != nil {
			return err
		}
	}
	return endSessions(ctx, tx, userID, keep)
}
