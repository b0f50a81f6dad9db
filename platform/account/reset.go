package account

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// Reset redeems a link to reset a password or to accept an invitation: it sets the password and ends all
// sessions of the account. The link works once. A refused password does not use it up, but it still expires.
func (s *Store) Reset(ctx context.Context, token, chosen string, c Client) error {
	if err := s.passwordsAllowed(); err != nil {
		return err
	}
	// The transaction below decides whether the link is valid; this check keeps guesses
	// from costing a hash.
	email, err := s.linkEmail(ctx, token)
	if err != nil {
		return err
	}
	if err := domain.Invalid(checkChosenPassword("password", chosen, email)...); err != nil {
		return err
	}
	hash, err := s.passwords.hash(ctx, addressKey(c.Address), chosen)
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
