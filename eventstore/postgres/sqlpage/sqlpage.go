// Package sqlpage reads pages of lists from tables; the rules of cursors and pages are in
// domain/paging. Every package with SQL may import it.
package sqlpage

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
)

// List is a select whose rows are the items of a list.
type List[T any] struct {
	Task string // begins the messages of errors, such as `list users`
	SQL  string // ends with its own conditions: the page adds AND, ORDER BY and LIMIT
	Args []any
	Scan pgx.RowToFunc[T]
	Key  func(T) paging.Position // see paging.NewPage
}

// Read reads the requested page of the list.
func (l List[T]) Read(ctx context.Context, db postgres.Querier, r paging.Request) (paging.Page[T], error) {
	condition, args := Condition(r, len(l.Args)+1)
	sql := fmt.Sprintf("%s AND %s ORDER BY %s LIMIT %d OFFSET %d", l.SQL, condition, OrderClause(r), r.Limit(), r.Offset())
	items, err := postgres.Collect(ctx, db, l.Task, l.Scan, sql, append(l.Args[:len(l.Args):len(l.Args)], args...)...)
	if err != nil {
		return paging.Page[T]{}, err
	}
	return paging.NewPage(items, r, l.Key), nil
}
