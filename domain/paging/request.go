package paging

import (
	"net/url"
	"strings"

	"github.com/docketmod/docket/domain"
)

// Request is a request for one page of a list, made by List.Parse or List.First.
type Request struct {
	id        ID
	ordering  Ordering
	direction Direction
	size      int
	backward  bool      // `last`: towards the start of the list
	after     *Position // rows strictly beyond it, in the direction of travel
	number    int       // of a numbered page, from 1; 0 for one by cursor
}

// OrderBy returns the name of the requested ordering.
func (r Request) OrderBy() string { return r.ordering.Name }

// Size returns how many items the page may hold.
func (r Request) Size() int { return r.size }

// Shortened returns the request for a page of at most n items, at least 1, for a page that
// must end before its requested size. The page must not be a numbered one.
func (r Request) Shortened(n int) Request {
	r.size = min(max(n, 1), r.size)
	return r
}

// Numbered reports whether the page was requested by number.
func (r Request) Numbered() bool { return r.number > 0 }

// Ordering returns the requested ordering.
func (r Request) Ordering() Ordering { return r.ordering }

// ID returns the list's unique column.
func (r Request) ID() ID { return r.id }

// After returns the position beyond which the page begins, in the direction of Travel, or
// nil if there is no cursor.
func (r Request) After() *Position { return r.after }

// Limit returns how many rows to read: one more than the page holds, which shows whether
// another page follows.
func (r Request) Limit() int { return r.size + 1 }

// Offset returns how many rows a numbered page skips; 0 for a page by cursor.
func (r Request) Offset() int { return max(r.number-1, 0) * r.size }

// Travel is the direction in which rows are read: the opposite of the list's order when
// paging backward.
func (r Request) Travel() Direction {
	if (r.direction == Asc) != r.backward {
		return Asc
	}
	return Desc
}

func (r Request) cursor(p Position) string { return encodeCursor(r.ordering, r.direction, p) }

// maxNumberedRows is how far numbered pages reach, since a page costs what all pages
// before it do. maxNumber is a page number beyond that.
const (
	maxNumberedRows = 10_000
	maxNumber       = maxNumberedRows + 1
)

// First returns a request for the start of the list in its default ordering.
func (l List) First(size int) Request {
	o := l.orderings()[0]
	return Request{id: l.ID, ordering: o, direction: defaultDirection(o), size: min(max(size, 1), MaxSize)}
}

// Parse reads the paging parameters of a query. Its error is validation_failed with all
// faults at once, those in others (of the list's own filters) first; without faults, it can
// be invalid_cursor.
func (l List) Parse(query url.Values, others ...domain.Issue) (Request, error) {
	p := parser{query: query, issues: others}
	r := l.First(DefaultSize)

	if name, ok := p.get("orderBy"); ok {
		if o, known := l.ordering(name); known {
			r.ordering, r.direction = o, defaultDirection(o)
		} else {
			p.fault("orderBy", "unknown_column", "Must be one of "+l.names()+".")
		}
	}
	if order, ok := p.get("order"); ok {
		r.direction = Direction(order)
		if r.direction != Asc && r.direction != Desc {
			p.fault("order", "invalid", "Must be asc or desc.")
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
