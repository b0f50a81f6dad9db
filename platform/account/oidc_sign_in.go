package account

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
)

// SignInByOIDC starts a session for the person who signed in at the provider. The account is that of (iss,
// sub), as of the host platform's JWTs, and is created if it is new. Members of the admin group get what grant
// gives them in the same transaction. It returns unauthorized for an account that was deleted or is disabled,
// and the errors of OIDC.
func (s *Store) SignInByOIDC(ctx context.Context, o *OIDC, login Login, r Returned, redirect string, c Client,
	grant func(ctx context.Context, tx pgx.Tx, userID string) error) (Session, error) {
	id, err := o.finish(ctx, login, r, redirect)
	if err != nil {
		return Session{}, err
	}
	caller, err := s.hostCaller(ctx, id)
	if err != nil {
		return Session{}, err
	}
	user, err := s.FindByID(ctx, caller.UserID)
	if err != nil {
		return Session{}, err
	}
	session := s.newSession(user, c)
	session.way = wayOIDC
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if o.config.AdminGroup != "" && slices.Contains(id.groups, o.config.AdminGroup) {
			if err := grant(ctx, tx, user.ID); err != nil {
				return err
			}
		}
		return s.insertSession(ctx, tx, session)
	})
	if errors.Is(err, errNoAccount) {
		err = unauthorized()
	}
	return session, err
}
