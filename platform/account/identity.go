package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// authenticateHost finds the account of a JWT of the host platform, or makes
// it when its (iss, sub) was never seen.
func (s *Store) authenticateHost(ctx context.Context, token string) (*permission.Caller, error) {
	if s.host == nil {
		return nil, unauthorized()
	}
	id, err := s.host.verify(ctx, token)
	if err != nil {
		return nil, err
	}
	caller, err := s.findHost(ctx, id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return caller, err
	}
	if err := s.createHost(ctx, id); err != nil {
		return nil, err
	}
	caller, err = s.findHost(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, unauthorized()
	}
	return caller, err
}

// findHost is unauthorized when the account has been deleted, and pgx.ErrNoRows
// when there never was one.
func (s *Store) findHost(ctx context.Context, id hostIdentity) (*permission.Caller, error) {
	var row callerRow
	var deleted bool
	err := s.pool.QueryRow(ctx, `SELECT i.user_id IS NULL,
			coalesce(u.id::text, ''), coalesce(u.name, ''), coalesce(u.email, ''),
			a.unrestricted, a.permissions, m.unrestricted, m.permissions
		FROM core_user_identities i LEFT JOIN core_users u ON u.id = i.user_id`+callerJoins+`
		WHERE i.issuer = $1 AND i.subject = $2`, id.issuer, id.subject).Scan(append([]any{&deleted}, row.fields()...)...)
	if err != nil {
		return nil, fmt.Errorf("find host identity: %w", err)
	}
	if deleted {
		return nil, unauthorized()
	}
	return row.result(permission.UseAdmin)
}

// createHost makes the account of an identity. The email stays with whoever has
// it: no claim joins a token to an account made otherwise. Of two requests at
// once one makes the account, and the other finds it made.
func (s *Store) createHost(ctx context.Context, id hostIdentity) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		user := User{Email: id.email, Name: id.name, CreatedAt: s.time()}
		var err error
		if user.ID, err = newID(); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insertUser+" ON CONFLICT (lower(email)) DO NOTHING", insertArgs(user, "")...)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			user.Email = ""
			if _, err := tx.Exec(ctx, insertUser, insertArgs(user, "")...); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `INSERT INTO core_user_identities (issuer, subject, user_id, created_at)
			VALUES ($1, $2, $3, $4)`, id.issuer, id.subject, user.ID, user.CreatedAt)
		return err
	})
	if err != nil && !uniqueBroken(err, "core_user_identities_pkey") {
		return fmt.Errorf("create account of host identity: %w", err)
	}
	return nil
}
