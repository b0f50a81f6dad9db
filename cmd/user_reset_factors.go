package cmd

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/platform/account"
	"github.com/docketmod/docket/platform/staff"
)

type userResetFactorsCommand struct {
	Email string `arg:"" help:"Email address of the account."`
}

// Run resets the second factors as the operator.
func (c *userResetFactorsCommand) Run(ctx context.Context, a *app) error {
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		_, err := s.resetFactors(ctx, staff.Operator(), user.ID)
		return err
	})
}

// resetFactors removes the second factors of an account if by has the permission.
func (s *Server) resetFactors(ctx context.Context, by staff.By, userID string) (account.User, error) {
	return s.accounts.ResetFactors(ctx, by.UserID, userID, func(ctx context.Context, tx pgx.Tx) error {
		return s.staff.AllowFactorReset(ctx, tx, by, userID)
	})
}
