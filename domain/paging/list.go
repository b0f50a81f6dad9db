package paging

// Direction is which way a list is sorted.
type Direction string

// The directions of spec 4.4.
const (
	Asc  Direction = "asc"
	Desc Direction = "desc"
)

// Ordering is a column that a list can be sorted by.
type Ordering struct {
	Name string // as `orderBy` names it
	// Expr is the SQL expression, without `?`, of its Kind's type, an Int of any integer
	// type: one that is no bare name is ordered by as it stands. An index on (Expr, id) serves the
	// list in both directions; of a Nullable one, the index is on NullableExpr.
	Expr    string
	Kind    Kind
	Default Direction // when the request has no `order`; "" is Asc
	// Nullable is for a Time that may be null. As in PostgreSQL null sorts above
	// every value: first when descending.
	Nullable bool
}

// NullableExpr is the SQL by which a nullable time is compared: a null would
// take its row out of every row comparison.
func NullableExpr(expr string) string { return "coalesce(" + expr + ", 'infinity'::timestamptz)" }

func (o Ordering) sql() string {
	if o.Nullable {
		return NullableExpr(o.Expr)
	}
	return o.Expr
}

// ID is the unique column that breaks ties; it is sorted in the direction of
// the ordering, so that one row comparison and one index do for both.
type ID struct {
	Expr string
	Kind Kind // not Time
}

// List declares how a list may be paged.
type List struct {
	Orderings []Ordering // the first is the default; none: by id, ascending
	ID        ID
	// Numbered lists also page by `page` and `pageSize` (contract section 4).
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
