package paging

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/docketmod/docket/domain"
)

// parser reads query parameters and collects every fault.
type parser struct {
	query  url.Values
	issues domain.Issues
}

// get returns a parameter and whether it is present, even if it is empty.
func (p *parser) get(name string) (string, bool) {
	values := p.query[name]
	if len(values) == 0 {
		return "", false
	}
	if len(values) > 1 {
		p.issues.Add(name, "repeated", "Give %s once.", name)
	}
	return values[0], true
}

// count parses a whole number of at least 1. It returns limit for any larger number.
func (p *parser) count(name string, limit int) (n int, present bool) {
	text, ok := p.get(name)
	if !ok {
		return 0, false
	}
	digits := strings.TrimLeft(text, "0")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		p.issues.Add(name, "invalid", "Must be a whole number of at least 1.")
		return 1, true
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > limit { // only digits: the only possible error is ErrRange
		n = limit
	}
	return n, true
}

func (p *parser) numbered(r *Request, byCursor bool) {
	number, hasNumber := p.count("page", maxNumber)
	size, hasSize := p.count("pageSize", MaxSize)
	if !hasNumber && !hasSize {
		return
	}
	if byCursor {
		path := "page"
		if !hasNumber {
			path = "pageSize"
		}
		p.issues.Add(path, "exclusive", "Page by number or by cursor, not both.")
		return
	}
	r.number = 1
	if hasNumber {
		r.number = number
	}
	if hasSize {
		r.size = size
	}
	if r.Offset() >= maxNumberedRows {
		p.issues.Add("page", "too_deep", "Page numbers reach the first %d rows; cursors go deeper.", maxNumberedRows)
	}
}

// First returns a request for the start of the list in its default ordering.
func (l List) First(size int) Request {
	o := l.orderings()[0]
	return Request{id: l.ID, ordering: o, direction: cmp.Or(o.Default, Asc), size: min(max(size, 1), MaxSize)}
}

// Parse reads the paging parameters of a query. Its error is validation_failed with all
// faults at once, those in others (of the list's own filters) first; without faults, it can
// be invalid_cursor.
func (l List) Parse(query url.Values, others ...domain.Issue) (Request, error) {
	p := parser{query: query, issues: others}
	r := l.First(DefaultSize)

	if name, ok := p.get("orderBy"); ok {
		if o, known := l.ordering(name); known {
			r.ordering, r.direction = o, cmp.Or(o.Default, Asc)
		} else {
			p.issues.Add("orderBy", "unknown_column", "Must be one of %s.", l.names())
		}
	}
	if order, ok := p.get("order"); ok {
		r.direction = Direction(order)
		if r.direction != Asc && r.direction != Desc {
			p.issues.Add("order", "invalid", "Must be asc or desc.")
		}
	}

	first, hasFirst := p.count("first", MaxSize)
	last, hasLast := p.count("last", MaxSize)
	switch {
	case hasFirst && hasLast:
		p.issues.Add("last", "exclusive", "Give first or last, not both.")
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
	return strings.Join(domain.Map(l.orderings(), func(o Ordering) string { return o.Name }), ", ")
}
