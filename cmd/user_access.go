package cmd

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"text/tabwriter"

	"github.com/docketmod/docket/platform/account"
)

type userListCommand struct{}

// Run prints the accounts by name.
func (c *userListCommand) Run(ctx context.Context, a *app) error {
	return a.withAccounts(ctx, func(s *Server) error {
		table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tEMAIL\tNAME\tCREATED\tDISABLED")
		for query := (url.Values{"first": {"100"}}); ; {
			request, err := account.UserList.Parse(query)
			if err != nil {
				return err
			}
			page, err := s.accounts.ListUsers(ctx, "", request)
			if err != nil {
				return err
			}
			for _, u := range page.Edges {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\n", u.ID, u.Email, u.Name, moment(&u.CreatedAt), u.Disabled)
			}
			if !page.PageInfo.HasNextPage || page.PageInfo.EndCursor == nil {
				return table.Flush()
			}
			query.Set("cursor", *page.PageInfo.EndCursor)
		}
	})
}

type userPasswordCommand struct {
	Email         string `arg:"" help:"Email address of the account."`
	PasswordStdin bool   `help:"Read the password, of 12 to 200 characters, from the first line of standard input."`
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
		return s.accounts.SetPassword(ctx, user.ID, password)
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
