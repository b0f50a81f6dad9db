package account

import (
	"context"
	"strings"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// UserList orders the list of users: by name, in code point order, by default, or by
// createdAt, newest first.
var UserList = paging.List{
	Orderings: []paging.Ordering{
		{Name: "name", Expr: `(u.name COLLATE "C")`, Kind: paging.Text, Default: paging.Asc},
		{Name: "createdAt", Expr: "u.created_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "u.id", Kind: paging.UUID},
}

// ListUsers returns a page of accounts: all, or those whose name and email have words
// that begin with each word of the search.
func (s *Store) ListUsers(ctx context.Context, search string, r paging.Request) (paging.Page[User], error) {
	return sqlpage.List[User]{Task: "list users",
		SQL:  "SELECT " + userColumns + " FROM core_users u WHERE " + searchCondition(search),
		Args: []any{postgres.NameQuery(search)}, Scan: scanUser,
		Key: func(u User) paging.Position {
			if r.OrderBy() == "createdAt" {
				return paging.At(u.CreatedAt, u.ID)
			}
			return paging.Position{Value: paging.TextValue(u.Name), ID: paging.UUIDValue(u.ID)}
		}}.Read(ctx, s.pool, r)
}

// searchCondition uses $1 in any case. Without a search it leaves the rows to the index
// of the order.
func searchCondition(search string) string {
	if strings.TrimSpace(search) == "" {
		return "$1 = ''"
	}
	return "u.search @@ to_tsquery('simple', $1)"
}
