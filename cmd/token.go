package cmd

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/account"
)

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Make an API token and print it once."`
	List   tokenListCommand   `cmd:"" help:"List the tokens of an account, also those that have ended."`
	Revoke tokenRevokeCommand `cmd:"" help:"Revoke a token, with effect on the next request."`
}

type tokenCreateCommand struct {
	User    string         `placeholder:"EMAIL" help:"Whose token it is."`
	Plugin  string         `placeholder:"ID" help:"With --use host or signal: the plugin whose platform the token is for."`
	Name    string         `help:"What it is for."`
	Use     permission.Use `enum:"read,moderate,admin,host,signal" default:"moderate" help:"read: GET only. moderate: the moderation routes too. admin: everything its user may do. host: file reports for the members of a plugin's platform. signal: send signals about its content."`
	Expires *time.Duration `placeholder:"720h" help:"How long it is valid. Default: for ever."`
}

// Run prints only the token on standard output, for scripts.
func (c *tokenCreateCommand) Run(ctx context.Context, a *app) error {
	token := account.NewToken{Name: c.Name, Use: c.Use}
	switch of := c.Use.OfPlugin(); {
	case of && (c.Plugin == "" || c.User != ""):
		return usageError{fmt.Errorf("--use %s needs --plugin and excludes --user", c.Use)}
	case !of && (c.User == "" || c.Plugin != ""):
		return usageError{errors.New("--user is needed; --plugin goes with --use host or signal")}
	}
	if c.Expires != nil && *c.Expires <= 0 {
		return usageError{errors.New("--expires must be positive; leave it out for a token without end")}
	}
	return a.withAccounts(ctx, func(s *Server) error {
		if c.Expires != nil {
			token.ExpiresAt = new(s.accounts.Now().Add(*c.Expires))
		}
		text, token, err := c.create(ctx, s, token)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "token %s is shown only once:\n", token.ID)
		fmt.Fprintln(a.stdout, text)
		return nil
	})
}

func (c *tokenCreateCommand) create(ctx context.Context, s *Server, token account.NewToken) (string, account.Token, error) {
	if c.Use.OfPlugin() {
		return s.accounts.CreateHostToken(ctx, c.Plugin, token)
	}
	user, err := s.accounts.FindByEmail(ctx, c.User)
	if err != nil {
		return "", account.Token{}, fmt.Errorf("account %s: %w", c.User, err)
	}
	return s.accounts.CreateToken(ctx, user.ID, token)
}

type tokenListCommand struct {
	User   string `placeholder:"EMAIL" help:"Whose tokens." xor:"whose" required:""`
	Plugin string `placeholder:"ID" help:"The plugin whose platform's tokens." xor:"whose" required:""`
}

func (c *tokenListCommand) Run(ctx context.Context, a *app) error {
	return a.withAccounts(ctx, func(s *Server) error {
		tokens, err := c.list(ctx, s)
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

func (c *tokenListCommand) list(ctx context.Context, s *Server) ([]account.Token, error) {
	if c.Plugin != "" {
		return s.accounts.ListHostTokens(ctx, c.Plugin)
	}
	user, err := s.accounts.FindByEmail(ctx, c.User)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", c.User, err)
	}
	return s.accounts.ListTokens(ctx, user.ID)
}

func moment(t *domain.Time) string {
	if t == nil {
		return "-"
	}
	return time.Time(*t).UTC().Format(time.RFC3339)
}

type tokenRevokeCommand struct {
	ID string `arg:"" help:"Id of the token, as token list gives it."`
}

func (c *tokenRevokeCommand) Run(ctx context.Context, a *app) error {
	return a.withAccounts(ctx, func(s *Server) error {
		if err := s.accounts.RevokeToken(ctx, c.ID); err != nil {
			return fmt.Errorf("token %s: %w", c.ID, err)
		}
		return nil
	})
}
