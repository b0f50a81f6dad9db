package paging

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/docketmod/docket/domain"
)

// parser reads query parameters and collects every fault.
type parser struct {
	query  url.Values
	issues []domain.Issue
}

func (p *parser) fault(path, code, message string) {
	p.issues = append(p.issues, domain.Issue{Path: path, Code: code, Message: message})
}

// get returns a parameter and whether it is present, even if it is empty.
func (p *parser) get(name string) (string, bool) {
	values := p.query[name]
	if len(values) == 0 {
		return "", false
	}
	if len(values) > 1 {
		p.fault(name, "repeated", "Give "+name+" once.")
	}
	return values[0], true
}

// count reads a whole number of at least 1. It returns limit for any larger number.
func (p *parser) count(name string, limit int) (n int, present bool) {
	text, ok := p.get(name)
	if !ok {
		return 0, false
	}
	digits := strings.TrimLeft(text, "0")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		p.fault(name, "invalid", "Must be a whole number of at least 1.")
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
		p.fault(path, "exclusive", "Page by number or by cursor, not both.")
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
		p.fault("page", "too_deep", fmt.Sprintf("Page numbers reach the first %d rows; cursors go deeper.", maxNumberedRows))
	}
}
