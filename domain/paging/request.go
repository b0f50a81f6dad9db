package paging

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

// Shortened returns the request for a page of at most n items, at least 1. The page must not be a
// numbered one.
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
