package account

import (
	"context"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
)

// CheckInvitation returns the faults of an account for an invitation.
func CheckInvitation(email, name string) []domain.Issue {
	email = strings.TrimSpace(email)
	issues := checkEmail("email", email)
	if email == "" {
		issues = fault("email", "required", "Must be given.")
	}
	return append(issues, checkName("name", strings.TrimSpace(name))...)
}

// Invite creates an account whose owner chooses the password with a link. The link is mailed in the
// language; without a mail server it is returned, to be shown once. It returns validation_failed
// with every fault, or already_exists if another account has the email.
func (s *Store) Invite(ctx context.Context, email, name, language string, base *url.URL) (user User, link string, err error) {
	if err := s.passwordsAllowed(); err != nil {
		return User{}, "", err
	}
	if err := domain.Invalid(CheckInvitation(email, name)...); err != nil {
		return User{}, "", err
	}
	if user, _, err = s.prepare(ctx, NewUser{Email: email, Name: name}); err != nil {
		return User{}, "", err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := addUser(ctx, tx, user, ""); err != nil {
			return err
		}
		secret := ""
		if !s.mails {
			secret = NewSecret()
			link = purposeInvitation.url(base, secret)
		}
		id, err := s.insertLink(ctx, tx, purposeInvitation, &user.ID, secret, s.time())
		if err != nil || !s.mails {
			return err
		}
		return s.enqueueMail(ctx, tx, id, language)
	})
	if err != nil {
		return User{}, "", err
	}
	return user, link, nil
}
