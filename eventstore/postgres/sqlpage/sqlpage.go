// Package sqlpage reads pages of lists from tables; the rules of cursors and pages are in
// domain/paging. It is part of the database's own layer and imports nothing of Docket but
// domain/paging, so that every package with SQL may import it: the log, the read models,
// the host platform's tables and the subscribers.
package sqlpage

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/paging"
)

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// List is a select whose rows are the items of a list.
type List[T any] struct {
	Task string // begins the messages of errors, such as `list users`
	SQL  string // ends with its own conditions: the page adds AND, ORDER BY and LIMIT
	Args []any
	Scan pgx.RowToFunc[T]
	Key  func(T) paging.Position // see paging.NewPage
}

// Read reads the requested page of the list.
func (l List[T]) Read(ctx context.Context, db Querier, r paging.Request) (paging.Page[T], error) {
	condition, args := Condition(r, len(l.Args)+1)
	sql := fmt.Sprintf("%s AND %s ORDER BY %s LIMIT %d OFFSET %d", l.SQL, condition, OrderClause(r), r.Limit(), r.Offset())
	rows, err := db.Query(ctx, sql, append(l.Args[:len(l.Args):len(l.Args)], args...)...)
	if err != nil {
		return paging.Page[T]{}, fmt.Errorf("%s: %w", l.Task, err)
	}
	items, err := pgx.CollectRows(rows, l.Scan)
	if err != nil {
		return paging.Page[T]{}, fmt.Errorf("%s: %w", l.Task, err)
	}
	return paging.NewPage(items, r, l.Key), nil
}
