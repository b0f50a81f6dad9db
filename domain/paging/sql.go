package paging

import (
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"
)

// Apply puts the request on a select: condition, order, limit and offset. The
// builder must use placeholders of its own choice for `?`.
func (r Request) Apply(b squirrel.SelectBuilder) squirrel.SelectBuilder {
	if r.after != nil {
		b = b.Where(squirrel.Expr(r.comparison("?", "?"), r.after.Value.text, r.after.ID.text))
	}
	b = b.OrderBy(r.order()...).Limit(uint64(r.Limit()))
	if offset := r.Offset(); offset > 0 {
		b = b.Offset(uint64(offset))
	}
	return b
}

// Condition is the same condition for SQL written out: its placeholders are
// $next and $next+1. Without a cursor it is `true` with no arguments.
func (r Request) Condition(next int) (sql string, args []any) {
	if r.after == nil {
		return "true", nil
	}
	return r.comparison(fmt.Sprintf("$%d", next), fmt.Sprintf("$%d", next+1)),
		[]any{r.after.Value.text, r.after.ID.text}
}

// OrderClause is what follows ORDER BY.
func (r Request) OrderClause() string { return strings.Join(r.order(), ", ") }

// Limit is how many rows to select: one more than the page holds, which tells
// whether there is another page.
func (r Request) Limit() int { return r.size + 1 }

// Offset is how many rows a numbered page skips; 0 for one by cursor.
func (r Request) Offset() int { return max(r.number-1, 0) * r.size }

// comparison is a row comparison, which PostgreSQL answers from an index on
// (ordering, id) by going straight to the position.
func (r Request) comparison(value, id string) string {
	operator := "<"
	if r.travel() == Asc {
		operator = ">"
	}
	return fmt.Sprintf("(%s, %s) %s (%s::%s, %s::%s)", r.ordering.sql(), r.id.Expr, operator,
		value, r.ordering.Kind.sqlType(), id, r.id.Kind.sqlType())
}

// order casts a bare name to the type that it has, which costs nothing and keeps
// PostgreSQL from taking it for that of an output column: with `SELECT id::text`,
// `ORDER BY id` would sort the text, past the index.
func (r Request) order() []string {
	column := func(expr string, kind Kind) string {
		if !strings.ContainsAny(expr, ".(:") {
			expr += "::" + kind.sqlType()
		}
		return expr + " " + strings.ToUpper(string(r.travel()))
	}
	return []string{column(r.ordering.sql(), r.ordering.Kind), column(r.id.Expr, r.id.Kind)}
}

// travel is the direction in which rows are read: against the list's own when
// paging backwards.
func (r Request) travel() Direction {
	if (r.direction == Asc) != r.backward {
		return Asc
	}
	return Desc
}
