package paging

// Direction is the sort direction of a list.
type Direction string

// The sort directions, as the query parameter `order` names them.
const (
	Asc  Direction = "asc"
	Desc Direction = "desc"
)

// Ordering is a column that a list can be sorted by.
type Ordering struct {
	Name string // as `orderBy` names it
	// Expr is the SQL expression of the column, without `?`. Its type is that of Kind; for Int it
	// may be any integer type. The list uses an index on (Expr, id) in both directions; if it is
	// Nullable, the index must be on sqlpage.NullableExpr.
	Expr    string
	Kind    Kind
	Default Direction // if the request has no `order`; "" means Asc
	// Nullable marks a Time that may be null. As in PostgreSQL, null sorts above every
	// value, so it comes first in descending order.
	Nullable bool
}

// ID is the unique column that breaks ties. It is sorted in the same direction as the
// ordering, so that one row comparison and one index serve both.
type ID struct {
	Expr string
	Kind Kind // not Time
}

// List declares how a list can be paged.
type List struct {
	Orderings []Ordering // the first is the default; none: by id, ascending
	ID        ID
	// Numbered also allows paging by `page` and `pageSize`.
	Numbered bool
}

func (l List) orderings() []Ordering {
	if len(l.Orderings) > 0 {
		return l.Orderings
	}
	return []Ordering{{Name: "id", Expr: l.ID.Expr, Kind: l.ID.Kind}}
}

func (l List) ordering(name string) (Ordering, bool) {
	for _, o := range l.orderings() {
		if o.Name == name {
			return o, true
		}
	}
	return Ordering{}, false
}
