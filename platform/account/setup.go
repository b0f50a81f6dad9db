package account

import (
	"context"
	"net/url"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// setupLock is the advisory lock for creating the first administrator: "dkset" in ASCII.
const setupLock = 0x646b736574

// Administrators checks whether there is an administrator, and creates the first one. Both functions run in the
// transaction that creates the account.
type Administrators struct {
	Exist func(ctx context.Context, tx pgx.Tx) (bool, error)
	Grant func(ctx context.Context, tx pgx.Tx, userID string) error
}

// SetupLink returns a link to create the first administrator, which works once and for an hour, or "" if there is one
// already. Other accounts do not count, since platforms create some by filing reports.
func (s *Store) SetupLink(ctx context.Context, base *url.URL, a Administrators) (link string, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		exist, err := a.lock(ctx, tx)
		if err != nil || exist {
			return err
		}
		secret := NewSecret()
		link = purposeSetup.url(base, secret)
		_, err = s.insertLink(ctx, tx, purposeSetup, nil, secret, s.time())
		return err
	})
	return link, err
}

// SetUp redeems a link of SetupLink: it creates the account of the first administrator. Of several links only one can
// be used.
func (s *Store) SetUp(ctx context.Context, token string, n NewUser, c Client, a Administrators) (User, error) {
	usable, err := postgres.CollectOne(ctx, s.pool, "read link", pgx.RowTo[bool],
		`SELECT EXISTS (SELECT FROM core_account_links WHERE hash = $1 AND expires_at > $2 AND purpose = 'setup')`, HashSecret(token), s.time())
	if err != nil {
		return User{}, err
	}
	chosen := n.Password
	n.Password = ""
	issues := checkChosenPassword("password", chosen, n.Email)
	if n.Email == "" {
		issues = append(issues, fault("email", "required", "Must be given.")...)
	}
	if !usable {
		issues = append(issues, unusableSetupLink()...)
	}
	user, _, err := s.prepare(ctx, n, issues...)
	if err != nil {
		return User{}, err
	}
	hash, err := s.passwords.hash(ctx, AddressKey(c.Address), chosen)
	if err != nil {
		return User{}, err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		exist, err := a.lock(ctx, tx)
		if err != nil {
			return err
		}
		owner, err := s.useLink(ctx, tx, token)
		if err != nil {
			return err
		}
		if exist || owner != nil {
			return domain.Invalid(unusableSetupLink()...)
		}
		if err := addUser(ctx, tx, user, hash); err != nil {
			return err
		}
		return a.Grant(ctx, tx, user.ID)
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// lock reports whether there is an administrator. Until the transaction ends, no other caller can create the first one.
func (a Administrators) lock(ctx context.Context, tx pgx.Tx) (exist bool, err error) {
	if err := postgres.Exec(ctx, tx, "lock the first administrator", "SELECT pg_advisory_xact_lock($1)", setupLock); err != nil {
		return false, err
	}
	return a.Exist(ctx, tx)
}

func unusableSetupLink() []domain.Issue {
	return fault("token", "invalid_link", "This link has been used already, has expired, or there is an administrator. "+
		"A server that starts without an administrator prints a new one; docket user create --admin-root makes one at any time.")
}
