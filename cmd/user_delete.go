package cmd

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

type userDeleteCommand struct {
	Email string `arg:"" help:"Email address of the account."`
}

// Run deletes as the operator, who may delete any account but the last root.
func (c *userDeleteCommand) Run(ctx context.Context, a *app) error {
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		return s.deleteAccount(ctx, staff.Operator(), user.ID)
	})
}

// deleteAccount deletes an account if by has the permission.
func (s *Server) deleteAccount(ctx context.Context, by staff.By, userID string) error {
	var gone []ledger.Change // with the account
	begun := false           // a hold that is set from then on protects words, not parts of the account
	return s.accounts.Delete(ctx, userID, account.Deletion{
		Allow: func(ctx context.Context, tx pgx.Tx) (err error) {
			if err := s.staff.AllowAccountDeletion(ctx, tx, by, userID); err != nil {
				return err
			}
			if !begun {
				if err := s.holds().AllowAccountDeletion(ctx, tx, userID); err != nil {
					return err
				}
				begun = true
			}
			// From here on, nothing can be added to the account.
			if err := postgres.Exec(ctx, tx, "lock the account", `SELECT FROM core_users WHERE id = $1 FOR UPDATE`, userID); err != nil {
				return err
			}
			gone, err = ledger.Owned(ctx, tx, userID, proven...)
			return err
		},
		Deleted: func(ctx context.Context, tx pgx.Tx) error { return s.ledger().Append(ctx, tx, by.UserID, gone...) },
		Detach: func(ctx context.Context) error {
			return s.moderation.DetachAccount(ctx, userID, domain.OrNull(by.UserID))
		},
	})
}
