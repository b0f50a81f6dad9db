package cmd

import (
	"context"
	"fmt"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/account"
)

type userCommand struct {
	Create       userCreateCommand       `cmd:"" help:"Make an account."`
	List         userListCommand         `cmd:"" help:"List the accounts."`
	Password     userPasswordCommand     `cmd:"" help:"Set the password of an account, which ends its sessions."`
	SignOut      userSignOutCommand      `cmd:"" help:"End all sessions of an account."`
	ResetFactors userResetFactorsCommand `cmd:"" help:"Take the second factors from an account whose owner has lost them, and end its sessions."`
	Delete       userDeleteCommand       `cmd:"" help:"Delete an account with its sessions and tokens. Its reports stay, without its name."`
}

// withAccounts runs work on a server without plugins, which accounts do not need.
func (a *app) withAccounts(ctx context.Context, work func(*Server) error) error {
	return a.withDatabase(ctx, func(db *Database) error {
		registered, err := register(ctx, db.Pool, registry.Deps{}, db.log, false, nil)
		if err != nil {
			return err
		}
		db.cfg.BrokerURL = "" // nothing is delivered from here
		s, err := newServer(ctx, db.cfg, db, db.log, registered, nil, nil)
		if err != nil {
			return err
		}
		if err := s.bindAccounts(ctx); err != nil {
			return err
		}
		return work(s)
	})
}

// withAccount runs work on the account with the email.
func (a *app) withAccount(ctx context.Context, email string, work func(*Server, account.User) error) error {
	return a.withAccounts(ctx, func(s *Server) error {
		user, err := s.accounts.FindByEmail(ctx, email)
		if err != nil {
			return fmt.Errorf("account %s: %w", email, err)
		}
		return work(s, user)
	})
}

type userSignOutCommand struct {
	Email string `arg:"" help:"Email address of the account."`
}

// Run ends the sessions. Tokens stay valid; see token revoke.
func (c *userSignOutCommand) Run(ctx context.Context, a *app) error {
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		return s.accounts.EndSessions(ctx, user.ID)
	})
}
