package sqlpage

import (
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/docketmod/docket/domain/paging"
)

// Apply adds the request's condition, order, limit and offset to a SELECT with `?` placeholders.
func Apply(r paging.Request, b squirrel.SelectBuilder) squirrel.SelectBuilder {
	if after := r.After(); after != nil {
		b = b.Where(squirrel.Expr(comparison(r, "?", "?"), after.Value.Text(), after.ID.Text()))
	}
	b = b.OrderBy(order(r)...).Limit(uint64(r.Limit()))
	if offset := r.Offset(); offset > 0 {
		b = b.Offset(uint64(offset))
	}
	return b
}

// Condition returns the request's condition with the placeholders $next and $next+1.
// Without a cursor it is `true` without arguments.
func Condition(r paging.Request, next int) (sql string, args []any) {
	after := r.After()
	if after == nil {
		return "true", nil
	}
	return comparison(r, fmt.Sprintf("$%d", next), fmt.Sprintf("$%d", next+1)), []any{after.Value.Text(), after.ID.Text()}
}

// OrderClause returns what follows ORDER BY.
func OrderClause(r paging.Request) string { return strings.Join(order(r), ", ") }

// NullableExpr returns the SQL expression for comparing a nullable time. Null counts as infinity,
// since a null would make every row comparison null.
func NullableExpr(expr string) string { return "coalesce(" + expr + ", 'infinity'::timestamptz)" }

func ordered(o paging.Ordering) string {
	if o.Nullable {
		return NullableExpr(o.Expr)
	}
	return o.Expr
}

// comparison returns a row comparison, for which PostgreSQL seeks in an index on (ordering, id).
func comparison(r paging.Request, value, id string) string {
	operator := "<"
	if r.Travel() == paging.Asc {
		operator = ">"
	}
	o, unique := r.Ordering(), r.ID()
	return fmt.Sprintf("(%s, %s) %s (%s::%s, %s::%s)", ordered(o), unique.Expr, operator,
		value, o.Kind.SQLType(), id, unique.Kind.SQLType())
}

// order casts a bare name to its own type. This costs nothing and prevents PostgreSQL from reading
// it as an output column: with `SELECT id::text`, `ORDER BY id` would sort by the text and not use
// the index.
func order(r paging.Request) []string {
	column := func(expr string, kind paging.Kind) string {
		if !strings.ContainsAny(expr, ".(:") {
			expr += "::" + kind.SQLType()
		}
		return expr + " " + strings.ToUpper(string(r.Travel()))
	}
	o, unique := r.Ordering(), r.ID()
	return []string{column(ordered(o), o.Kind), column(unique.Expr, unique.Kind)}
}
