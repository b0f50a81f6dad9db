package cmd

import (
	"context"
	"errors"

	"github.com/docketmod/docket/platform/account"
)

type userPasswordCommand struct {
	Email         string `arg:"" help:"Email address of the account."`
	PasswordStdin bool   `help:"Read the password, of 12 to 200 characters, from the first line of standard input."`
	KeepTokens    bool   `help:"Leave the account's tokens. Without it, those of use moderate and admin are revoked."`
}

// Run sets the password.
func (c *userPasswordCommand) Run(ctx context.Context, a *app) error {
	if !c.PasswordStdin {
		return usageError{errors.New("--password-stdin is missing: the password is read from standard input, where nobody sees it")}
	}
	password, err := firstLine(a.stdin)
	if err != nil {
		return err
	}
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		return s.accounts.SetPassword(ctx, user.ID, password, c.KeepTokens)
	})
}
