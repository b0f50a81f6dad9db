package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Make an API token and print it, this once."`
	List   tokenListCommand   `cmd:"" help:"List the tokens of an account, those that have ended too."`
	Revoke tokenRevokeCommand `cmd:"" help:"End a token, from the next request on."`
}

type tokenCreateCommand struct {
	User    string         `required:"" placeholder:"EMAIL" help:"Whose token it is."`
	Name    string         `help:"What it is for."`
	Use     permission.Use `enum:"read,moderate,admin" default:"moderate" help:"read: GET only. moderate: the moderation routes too. admin: everything its user may do."`
	Expires *time.Duration `placeholder:"720h" help:"How long it is valid; for ever by default."`
}

// Run prints the token alone on standard output, for scripts.
func (c *tokenCreateCommand) Run(ctx context.Context, a *app) error {
	token := account.NewToken{Name: c.Name, Use: c.Use}
	if c.Expires != nil {
		// Asked for no time at all, a token must not become one for ever.
		if token.Expires = *c.Expires; token.Expires <= 0 {
			return usageError{errors.New("--expires is longer than no time; leave it out for ever")}
		}
	}
	return a.withAccounts(ctx, func(s *service) error {
		user, err := s.accounts.FindByEmail(ctx, c.User)
		if err != nil {
			return fmt.Errorf("account %s: %w", c.User, err)
		}
		text, token, err := s.accounts.CreateToken(ctx, user.ID, token)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "token %s is shown this once:\n", token.ID)
		fmt.Fprintln(a.stdout, text)
		return nil
	})
}

type tokenListCommand struct {
	User string `required:"" placeholder:"EMAIL" help:"Whose tokens."`
}

func (c *tokenListCommand) Run(ctx context.Context, a *app) error {
	return a.withAccounts(ctx, func(s *service) error {
		user, err := s.accounts.FindByEmail(ctx, c.User)
		if err != nil {
			return fmt.Errorf("account %s: %w", c.User, err)
		}
		tokens, err := s.accounts.ListTokens(ctx, user.ID)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tUSE\tCREATED\tEXPIRES\tLAST USED\tREVOKED")
		for _, t := range tokens {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Name, t.Use,
				moment(&t.CreatedAt), moment(t.ExpiresAt), moment(t.LastUsedAt), moment(t.RevokedAt))
		}
		return table.Flush()
	})
}

func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

type tokenRevokeCommand struct {
	ID string `arg:"" help:"Id of the token, as token list gives it."`
}

func (c *tokenRevokeCommand) Run(ctx context.Context, a *app) error {
	return a.withAccounts(ctx, func(s *service) error {
		if err := s.accounts.RevokeToken(ctx, c.ID); err != nil {
			return fmt.Errorf("token %s: %w", c.ID, err)
		}
		return nil
	})
}
