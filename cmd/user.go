package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/platform/account"
)

type userCommand struct {
	Create   userCreateCommand   `cmd:"" help:"Make an account."`
	List     userListCommand     `cmd:"" help:"List the accounts."`
	Password userPasswordCommand `cmd:"" help:"Set the password of an account, which ends its sessions."`
	SignOut  userSignOutCommand  `cmd:"" help:"End all sessions of an account."`
	Delete   userDeleteCommand   `cmd:"" help:"Delete an account with its sessions and tokens. Its reports stay, without its name."`
}

type userCreateCommand struct {
	Email         string `required:"" help:"Email address, to sign in with."`
	Name          string `required:"" help:"Name, as moderators see it."`
	Password      string `xor:"password" help:"Password, of 8 to 256 bytes; others on this machine may see it in the list of processes."`
	PasswordStdin bool   `xor:"password" help:"Read the password from the first line of standard input."`
	AdminRoot     bool   `help:"Give an admin entry that may do everything, and a moderator entry without limits."`
}

// Run prints the id of the account. An account without a password can only have tokens.
func (c *userCreateCommand) Run(ctx context.Context, a *app) error {
	password := c.Password
	if c.PasswordStdin {
		var err error
		if password, err = firstLine(a.stdin); err != nil {
			return err
		}
	}
	return a.withAccounts(ctx, func(s *Server) error {
		user, err := s.accounts.CreateUser(ctx, account.NewUser{Email: c.Email, Name: c.Name, Password: password})
		if err != nil {
			return err
		}
		if c.AdminRoot {
			for _, kind := range []permission.Kind{permission.Admin, permission.Moderator} {
				if err := s.staff.Ensure(ctx, kind, user.ID, permission.Entry{Unrestricted: true}); err != nil {
					return err
				}
			}
		}
		fmt.Fprintln(a.stdout, user.ID)
		return nil
	})
}

// maxLine bounds a line of input, in bytes.
const maxLine = 4096

func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("the first line of standard input holds no password")
	}
	return line, nil
}

// withAccounts runs work on a server without plugins, which accounts do not need.
func (a *app) withAccounts(ctx context.Context, work func(*Server) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	return a.withDatabase(ctx, func(db *Database, log zerolog.Logger) error {
		registered, err := register(ctx, db.Pool, plugin.Deps{}, log, false, nil)
		if err != nil {
			return err
		}
		cfg.BrokerURL = "" // nothing is delivered from here
		s, err := newServer(ctx, cfg, db, log, registered)
		if err != nil {
			return err
		}
		return work(s)
	})
}

// withAccount does a command's work on the account with the email.
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

// Run ends the sessions. Tokens stay; see token revoke.
func (c *userSignOutCommand) Run(ctx context.Context, a *app) error {
	return a.withAccount(ctx, c.Email, func(s *Server, user account.User) error {
		return s.accounts.EndSessions(ctx, user.ID)
	})
}
