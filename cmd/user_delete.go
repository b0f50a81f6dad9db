package cmd

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

type userDeleteCommand struct {
	Email string `arg:"" help:"Email address of the account."`
}

// Run deletes as the operator, who may do so unless the account is the last root.
func (c *userDeleteCommand) Run(ctx context.Context, a *app) error {
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		return s.deleteAccount(ctx, staff.Operator(), user.ID)
	})
}

// deleteAccount deletes an account if by may.
func (s *Server) deleteAccount(ctx context.Context, by staff.By, userID string) error {
	return s.accounts.Delete(ctx, userID, account.Deletion{
		Allow:   func(ctx context.Context, tx pgx.Tx) error { return s.staff.AllowAccountDeletion(ctx, tx, by, userID) },
		Deleted: s.staff.Seal,
		Detach: func(ctx context.Context) error {
			return s.moderation.DetachAccount(ctx, userID, domain.OrNull(by.UserID))
		},
	})
}
