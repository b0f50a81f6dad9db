package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

type userCreateCommand struct {
	Email         string `required:"" help:"Email address, to sign in with."`
	Name          string `required:"" help:"Name, as moderators see it."`
	Password      string `xor:"password" help:"Password, of 8 to 256 bytes; others on this machine may see it in the list of processes. An account without one can only have tokens, until docket user password gives it one."`
	PasswordStdin bool   `xor:"password" help:"Read the password from the first line of standard input."`
	AdminRoot     bool   `help:"Give an admin entry that may do everything, and a moderator entry without limits."`
}

// Run prints the id of the account.
func (c *userCreateCommand) Run(ctx context.Context, a *app) error {
	if strings.TrimSpace(c.Email) == "" {
		return usageError{errors.New("--email is empty")}
	}
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
