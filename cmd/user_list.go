package cmd

import (
	"context"
	"fmt"
	"net/url"
	"text/tabwriter"

	"github.com/docketmod/docket/domain"
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
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\n", u.ID, u.Email, u.Name, moment(domain.TimeOf(&u.CreatedAt)), u.Disabled)
			}
			if !page.PageInfo.HasNextPage || page.PageInfo.EndCursor == nil {
				return table.Flush()
			}
			query.Set("cursor", *page.PageInfo.EndCursor)
		}
	})
}
