package account

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
)

// url returns the link. The control panel has a page for each path.
func (p purpose) url(base *url.URL, secret string) string {
	path := map[purpose]string{
		purposeReset: "/reset?token=", purposeInvitation: "/reset?invitation=1&token=", purposeSetup: "/setup?token=",
	}[p]
	return base.Scheme + "://" + base.Host + path + secret
}

// insertLink stores a link. Without a secret it cannot be used until renewLink sets one. userID is
// nil for a link that sets up the first administrator.
func (s *Store) insertLink(ctx context.Context, tx pgx.Tx, p purpose, userID *string, secret string, now time.Time) (id string, err error) {
	id = newID()
	var hash, mac []byte
	if secret != "" {
		hash = HashSecret(secret)
		mac = s.keys.mac(linkBinding(p, userID, hash))
	}
	return id, postgres.Exec(ctx, tx, "make link", "INSERT INTO core_account_links (id, purpose, user_id, hash, expires_at, mac) VALUES ($1, $2, $3, $4, $5, $6)",
		id, p, userID, hash, now.Add(p.lifetime()), mac)
}

// renewLink sets a new secret of a link, which replaces the one before, and restarts its lifetime. It returns
// pgx.ErrNoRows if the link does not exist or its account is disabled.
func (s *Store) renewLink(ctx context.Context, id string) (p purpose, user User, secret string, err error) {
	secret = NewSecret()
	hash := HashSecret(secret)
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT l.purpose, `+userColumns+` FROM core_account_links l JOIN core_users u ON u.id = l.user_id
			WHERE l.id = $1 AND u.disabled_at IS NULL FOR UPDATE OF l`, id).Scan(append([]any{&p}, user.fields()...)...)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE core_account_links SET hash = $2, expires_at = $3, mac = $4 WHERE id = $1",
			id, hash, s.time().Add(p.lifetime()), s.keys.mac(linkBinding(p, &user.ID, hash)))
		return err
	})
	return p, user, secret, err
}

// useLink deletes a link, in the transaction that applies it, and returns its account, or nil if
// the link sets up the first administrator.
func (s *Store) useLink(ctx context.Context, tx pgx.Tx, token string) (userID *string, err error) {
	hash := HashSecret(token)
	var p purpose
	var mac []byte
	err = tx.QueryRow(ctx, "DELETE FROM core_account_links WHERE hash = $1 AND expires_at > $2 RETURNING purpose, user_id::text, mac",
		hash, s.time()).Scan(&p, &userID, &mac)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("use link: %w", err)
	}
	if ok, _ := s.accepts(linkBinding(p, userID, hash), mac); err != nil || !ok {
		return nil, unusableLink()
	}
	return userID, nil
}

// linkEmail returns the email of a link's account.
func (s *Store) linkEmail(ctx context.Context, token string) (email string, err error) {
	if len(token) != secretLength {
		return "", unusableLink()
	}
	email, err = postgres.CollectFound(ctx, s.pool, "read link", pgx.RowTo[string], `SELECT coalesce(u.email, '') FROM core_account_links l JOIN core_users u ON u.id = l.user_id
		WHERE l.hash = $1 AND l.expires_at > $2 AND u.disabled_at IS NULL`, HashSecret(token), s.time())
	if errors.Is(err, domain.NotFound()) {
		err = unusableLink()
	}
	return email, err
}

func unusableLink() error {
	return domain.Invalid(fault("token", "invalid_link", "This link has been used already or has expired.")...)
}

// purpose is what a link is for.
type purpose string

const (
	purposeReset      purpose = "reset"
	purposeInvitation purpose = "invitation"
	purposeSetup      purpose = "setup"
)

// lifetime is how long a link can be used.
func (p purpose) lifetime() time.Duration {
	if p == purposeInvitation {
		return 7 * 24 * time.Hour
	}
	return time.Hour
}
