package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
)

// authenticateHost finds the account of a host platform's JWT, or creates it if its
// (iss, sub) is new.
func (s *Store) authenticateHost(ctx context.Context, token string) (*permission.Caller, error) {
	if s.host == nil {
		return nil, unauthorized()
	}
	id, err := s.host.verify(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.hostCaller(ctx, id)
}

// hostCaller finds the account of an identity, or creates it.
func (s *Store) hostCaller(ctx context.Context, id hostIdentity) (*permission.Caller, error) {
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

// findHost returns unauthorized if the account was deleted or is disabled, and pgx.ErrNoRows if there
// never was one.
func (s *Store) findHost(ctx context.Context, id hostIdentity) (*permission.Caller, error) {
	var row callerRow
	var closed bool
	err := s.pool.QueryRow(ctx, `SELECT u.id IS NULL OR u.disabled_at IS NOT NULL, `+callerColumns+`
		FROM core_user_identities i LEFT JOIN core_users u ON u.id = i.user_id`+callerJoins+`
		WHERE i.issuer = $1 AND i.subject = $2`, id.issuer, id.subject).Scan(append([]any{&closed}, row.fields()...)...)
	if err != nil {
		return nil, fmt.Errorf("find host identity: %w", err)
	}
	if closed {
		return nil, unauthorized()
	}
	return row.result(permission.UseAdmin)
}

// createHost creates the account of an identity. If the email belongs to another
// account, it stays there: no claim joins a token to an account that was made
// otherwise. Of two concurrent requests, one creates the account and the other finds
// it.
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

// PluginIssuer is the issuer of the accounts that a plugin's platform names.
func PluginIssuer(pluginID string) string { return "plugin:" + pluginID }

// Subject returns the id that an account has at the first of the issuers that knows it, or ""
// if none does.
func (s *Store) Subject(ctx context.Context, userID string, issuers ...string) (string, error) {
	var subject string
	err := s.pool.QueryRow(ctx, `SELECT subject FROM core_user_identities WHERE user_id = $1 AND issuer = ANY($2)
		ORDER BY array_position($2::text[], issuer) LIMIT 1`, userID, issuers).Scan(&subject)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the subject of an account: %w", err)
	}
	return subject, nil
}
