package rule

import (
	"strings"
	"sync"
)

// Held returns the parts of the expression that the facts satisfy, in order and without comments: the operands of &&
// and ||, also inside parentheses. A part that cannot be evaluated, for example for a missing signal, is left out.
func (e *Expression) Held(f *Facts) []string {
	var held []string
	for _, part := range e.parts() {
		if yes, err := part.Matches(f); err == nil && yes {
			held = append(held, part.text)
		}
	}
	return held
}

// partsOf returns a function that parses the parts as expressions, on its first call.
func partsOf(when string) func() []*Expression {
	return sync.OnceValue(func() (all []*Expression) {
		for _, text := range split(withoutComments(when)) {
			if part, issues := Parse(text); issues == nil {
				all = append(all, part)
			}
		}
		return all
	})
}

// split returns the operands of && and ||.
func split(when string) []string {
	when = strings.TrimSpace(when)
	var parts []string
	start, depth, closed := 0, 0, -1 // closed is where the first parenthesis closes
	for i := 0; i < len(when); i++ {
		switch c := when[i]; {
		case c == '"' || c == '\'':
			i += literal(when[:i], when[i:]) - 1
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 && closed < 0 {
				closed = i
			}
		case depth > 0:
		case c == '?' && (i == 0 || when[i-1] != '.'): // a choice, whose condition this would be
			return []string{when}
		case strings.HasPrefix(when[i:], "&&") || strings.HasPrefix(when[i:], "||"):
			parts = append(parts, split(when[start:i])...)
			start = i + 2
			i++
		}
	}
	switch {
	case start > 0:
		return append(parts, split(when[start:])...)
	case strings.HasPrefix(when, "(") && closed == len(when)-1:
		return split(when[1:closed])
	}
	return []string{when}
}

// literal returns the length of the string literal at the start of s. It is raw if before, the text in front of it,
// ends in r.
func literal(before, s string) int {
	quote := s[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s, triple) {
		quote = triple
	}
	raw := before != "" && strings.ContainsRune("rR", rune(before[len(before)-1]))
	for i := len(quote); i < len(s); i++ {
		switch {
		case s[i] == '\\' && !raw:
			i++
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote)
		}
	}
	return len(s)
}

// withoutComments returns an expression without its comments.
func withoutComments(when string) string {
	var b strings.Builder
	for i := 0; i < len(when); {
		n := 1
		switch {
		case when[i] == '"' || when[i] == '\'':
			n = literal(when[:i], when[i:])
		case strings.HasPrefix(when[i:], "//"):
			end := strings.IndexByte(when[i:], '\n')
			if end < 0 {
				return b.String()
			}
			i += end
		}
		b.WriteString(when[i : i+n])
		i += n
	}
	return b.String()
}
