package account

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres"
)

// authenticateHost finds the account of a host platform's JWT, or creates it if its
// (iss, sub) is new.
func (s *Store) authenticateHost(ctx context.Context, token string) (*permission.Caller, error) {
	if p, ok := s.platformIssuer(token); ok {
		return s.authenticateMember(ctx, p, token)
	}
	if s.host == nil {
		return nil, unauthorized()
	}
	id, err := s.host.verify(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.hostCaller(ctx, id)
}

// hostCaller finds the account of an identity, or creates it. It returns unauthorized if the
// account was deleted or is disabled.
func (s *Store) hostCaller(ctx context.Context, id hostIdentity) (*permission.Caller, error) {
	key := identityKey{id.issuer, id.subject}
	row, err := s.callers.identities.Do(ctx, key)
	if err == nil && row == nil {
		if err := s.createHost(ctx, id); err != nil {
			return nil, err
		}
		row, err = s.callers.identities.Do(ctx, key)
	}
	if err != nil {
		return nil, fmt.Errorf("find host identity: %w", err)
	}
	if row == nil || row.closed {
		return nil, unauthorized()
	}
	return row.result(permission.UseAdmin)
}

// createHost creates the account of an identity. If the email belongs to another account, the new
// one gets none: no claim links a token to an account that was created otherwise. Of two concurrent
// requests, one creates the account and the other finds it.
func (s *Store) createHost(ctx context.Context, id hostIdentity) error {
	user := User{ID: newID(), Email: id.email, Name: id.label(), CreatedAt: s.time()}
	create := func() error {
		_, err := s.pool.Exec(ctx, `WITH account AS (`+insertUser+` RETURNING id, created_at)
			INSERT INTO core_user_identities (issuer, subject, user_id, created_at)
			SELECT $7, $8, id, created_at FROM account`, append(insertArgs(user, ""), id.issuer, id.subject)...)
		return err
	}
	err := create()
	if postgres.UniqueBroken(err, "core_users_email") {
		user.Email = ""
		err = create()
	}
	if err != nil && !postgres.UniqueBroken(err, "core_user_identities_pkey") {
		return fmt.Errorf("create account of host identity: %w", err)
	}
	return nil
}

// PluginIssuer is the issuer of the members of a plugin's platform.
func PluginIssuer(pluginID string) string { return "plugin:" + pluginID }

// Subject returns the account's id at the first of the issuers that has one, or "" if none does.
func (s *Store) Subject(ctx context.Context, userID string, issuers ...string) (string, error) {
	subject, err := postgres.CollectFirst(ctx, s.pool, "find the subject of an account", pgx.RowTo[string],
		`SELECT subject FROM core_user_identities WHERE user_id = $1 AND issuer = ANY($2)
		ORDER BY array_position($2::text[], issuer) LIMIT 1`, userID, issuers)
	return domain.OrEmpty(subject), err
}
