package account

import (
	"cmp"
	"context"
	"errors"

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
	issues := checkChosenPassword("password", chosen, email)
	if link, ok := errors.AsType[*domain.Error](err); ok {
		issues, err = append(link.Issues, issues...), nil
	}
	if err := cmp.Or(err, domain.Invalid(issues...)); err != nil {
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
