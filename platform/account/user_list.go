package account

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/paging"
)

// UserList is how the list of users pages: by name, in the order of code
// points, unless asked for by createdAt, newest first.
var UserList = paging.List{
	Orderings: []paging.Ordering{
		{Name: "name", Expr: `(u.name COLLATE "C")`, Kind: paging.Text, Default: paging.Asc},
		{Name: "createdAt", Expr: "u.created_at", Kind: paging.Time, Default: paging.Desc},
	},
	ID: paging.ID{Expr: "u.id", Kind: paging.UUID},
}

// maxSearchWords bounds what one search asks of the index.
const maxSearchWords = 10

// ListUsers gives a page of accounts, of all or of those whose name and email
// have words beginning with each word of the search.
func (s *Store) ListUsers(ctx context.Context, search string, r paging.Request) (paging.Page[User], error) {
	condition, args := r.Condition(2)
	rows, err := s.pool.Query(ctx, "SELECT "+userColumns+" FROM core_users u WHERE "+searchCondition(search)+" AND "+condition+
		" ORDER BY "+r.OrderClause()+fmt.Sprintf(" LIMIT %d", r.Limit()), append([]any{searchQuery(search)}, args...)...)
	if err != nil {
		return paging.Page[User]{}, fmt.Errorf("list users: %w", err)
	}
	users, err := pgx.CollectRows(rows, scanUser)
	if err != nil {
		return paging.Page[User]{}, fmt.Errorf("list users: %w", err)
	}
	return paging.NewPage(users, r, func(u User) paging.Position {
		if r.OrderBy() == "createdAt" {
			return paging.At(u.CreatedAt, u.ID)
		}
		return paging.Position{Value: paging.TextValue(u.Name), ID: paging.UUIDValue(u.ID)}
	}), nil
}

// searchCondition uses $1 either way; without a search it leaves the rows to
// the index of the order.
func searchCondition(search string) string {
	if strings.TrimSpace(search) == "" {
		return "$1 = ''"
	}
	return "u.search @@ to_tsquery('simple', $1)"
}

// searchQuery splits the search as the column's words are split, so that all
// of it is words and none of it is an operator.
func searchQuery(search string) string {
	words := strings.FieldsFunc(search, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	for i, word := range words {
		words[i] = "'" + word + "':*"
	}
	return strings.Join(words[:min(len(words), maxSearchWords)], " & ")
}
