package paging

import (
	"net/url"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Request asks for one page of a list. List.Parse makes them.
type Request struct {
	id        ID
	ordering  Ordering
	direction Direction
	size      int
	backward  bool      // `last`: towards the start of the list
	after     *Position // rows strictly beyond it, in the direction of travel
	number    int       // of a numbered page, from 1; 0 for one by cursor
}

// OrderBy is the name of the ordering that was asked for.
func (r Request) OrderBy() string { return r.ordering.Name }

// Size is how many items the page may hold.
func (r Request) Size() int { return r.size }

// Numbered tells whether the page was asked for by number.
func (r Request) Numbered() bool { return r.number > 0 }

func (r Request) cursor(p Position) string { return encodeCursor(r.ordering, r.direction, p) }

// maxNumber keeps the offset of a numbered page within a bigint and every
// database's patience; pages beyond are empty all the same.
const maxNumber = 1_000_000

// First is the request for the head of the list, by its default ordering.
func (l List) First(size int) Request {
	o := l.orderings()[0]
	return Request{id: l.ID, ordering: o, direction: defaultDirection(o), size: min(max(size, 1), MaxSize)}
}

// Parse reads the paging parameters of a query. The error is a
// `validation_failed` with all faults at once, those given as others (of the
// list's own filters) before the paging's; else, `invalid_cursor`.
func (l List) Parse(query url.Values, others ...domain.Issue) (Request, error) {
	p := parser{query: query, issues: others}
	r := l.First(DefaultSize)

	if name, ok := p.get("orderBy"); ok {
		if o, known := l.ordering(name); known {
			r.ordering, r.direction = o, defaultDirection(o)
		} else {
			p.fault("orderBy", "unknown_column", "This list is sorted by one of: "+l.names()+".")
		}
	}
	if order, ok := p.get("order"); ok {
		r.direction = Direction(order)
		if r.direction != Asc && r.direction != Desc {
			p.fault("order", "invalid", "The order is asc or desc.")
		}
	}

	first, hasFirst := p.count("first", MaxSize)
	last, hasLast := p.count("last", MaxSize)
	switch {
	case hasFirst && hasLast:
		p.fault("last", "exclusive", "Give first or last, not both.")
	case hasFirst:
		r.size = first
	case hasLast:
		r.size, r.backward = last, true
	}
	text, hasCursor := p.get("cursor")
	if l.Numbered {
		p.numbered(&r, hasCursor || hasFirst || hasLast)
	}
	if err := domain.Invalid(p.issues...); err != nil {
		return Request{}, err
	}

	if hasCursor {
		position, err := decodeCursor(text, r.ordering, r.direction, r.id.Kind)
		if err != nil {
			return Request{}, err
		}
		r.after = &position
	}
	return r, nil
}

func (l List) names() string {
	var names []string
	for _, o := range l.orderings() {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}

func defaultDirection(o Ordering) Direction {
	if o.Default == "" {
		return Asc
	}
	return o.Default
}
