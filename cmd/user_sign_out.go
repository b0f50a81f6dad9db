package cmd

import (
	"context"

	"github.com/docketmod/docket/platform/account"
)

type userSignOutCommand struct {
	Email string `arg:"" help:"Email address of the account."`
}

// Run ends the sessions. Tokens stay; see token revoke.
func (c *userSignOutCommand) Run(ctx context.Context, a *app) error {
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		return s.accounts.EndSessions(ctx, user.ID)
	})
}
