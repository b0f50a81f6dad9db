package account

import (
	"context"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/eventstore/postgres"
)

// setupLock is the advisory lock of making the first account: "dkset" in ASCII.
const setupLock = 0x646b736574

// SetupLink returns a link to make the first administrator, which works once and for an
// hour, or "" if there are accounts already.
func (s *Store) SetupLink(ctx context.Context, base *url.URL) (link string, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		empty, err := lockEmpty(ctx, tx)
		if err != nil || !empty {
			return err
		}
		secret := newSecret()
		link = purposeSetup.url(base, secret)
		_, err = s.insertLink(ctx, tx, purposeSetup, nil, secret, s.time())
		return err
	})
	return link, err
}

// SetUp redeems a link of SetupLink: it makes the first account and calls grant in the
// same transaction. Of several links only one can be used.
func (s *Store) SetUp(ctx context.Context, token string, n NewUser, c Client, grant func(ctx context.Context, tx pgx.Tx, userID string) error) (User, error) {
	var usable bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM core_account_links WHERE hash = $1 AND expires_at > $2 AND purpose = 'setup')`,
		hashSecret(token), s.time()).Scan(&usable)
	if err != nil {
		return User{}, fmt.Errorf("read link: %w", err)
	}
	if !usable {
		return User{}, unusableLink()
	}
	chosen := n.Password
	n.Password = ""
	issues := checkChosenPassword("password", chosen, n.Email)
	if n.Email == "" {
		issues = append(issues, fault("email", "required", "Must be given.")...)
	}
	user, _, err := s.prepare(ctx, n, issues...)
	if err != nil {
		return User{}, err
	}
	hash, err := s.passwords.hash(ctx, addressKey(c.Address), chosen)
	if err != nil {
		return User{}, err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		empty, err := lockEmpty(ctx, tx)
		if err != nil {
			return err
		}
		owner, err := s.useLink(ctx, tx, token)
		if err != nil {
			return err
		}
		if !empty || owner != nil {
			return unusableLink()
		}
		if _, err := tx.Exec(ctx, insertUser, insertArgs(user, hash)...); err != nil {
			return fmt.Errorf("create user: %w", err)
		}
		return grant(ctx, tx, user.ID)
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// lockEmpty reports whether there are no accounts. No other caller makes the first one
// until the transaction ends.
func lockEmpty(ctx context.Context, tx pgx.Tx) (bool, error) {
	if err := postgres.Exec(ctx, tx, "lock the first account", "SELECT pg_advisory_xact_lock($1)", setupLock); err != nil {
		return false, err
	}
	return postgres.CollectOne(ctx, tx, "look for accounts", pgx.RowTo[bool], "SELECT NOT EXISTS (SELECT FROM core_users)")
}
