// Package sqlpage reads pages of lists from tables; the rules of cursors and pages are in domain/paging. Every package
// of Docket with SQL may use it. Other modules must not import it.
package sqlpage

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
)

// List is a SELECT whose rows are the items of a list.
type List[T any] struct {
	Task string // begins the messages of errors, such as `list users`
	SQL  string // ends with its own conditions: the page adds AND, ORDER BY and LIMIT
	Args []any
	Scan pgx.RowToFunc[T]
	Key  func(T) paging.Position // see paging.NewPage
}

// Read reads the requested page of the list.
func (l List[T]) Read(ctx context.Context, db postgres.Querier, r paging.Request) (paging.Page[T], error) {
	sql, args := l.query(r)
	items, err := postgres.Collect(ctx, db, l.Task, l.Scan, sql, args...)
	if err != nil {
		return paging.Page[T]{}, err
	}
	return paging.NewPage(items, r, l.Key), nil
}

// Queue adds the query for the requested page to a batch.
func (l List[T]) Queue(b *pgx.Batch, r paging.Request, page *paging.Page[T]) {
	sql, args := l.query(r)
	b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		items, err := pgx.CollectRows(rows, l.Scan)
		*page = paging.NewPage(items, r, l.Key)
		return err
	})
}

func (l List[T]) query(r paging.Request) (sql string, args []any) {
	condition, args := Condition(r, len(l.Args)+1)
	sql = fmt.Sprintf("%s AND %s ORDER BY %s LIMIT %d OFFSET %d", l.SQL, condition, OrderClause(r), r.Limit(), r.Offset())
	return sql, append(l.Args[:len(l.Args):len(l.Args)], args...)
}
