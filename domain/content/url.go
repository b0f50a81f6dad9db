package content

import (
	"fmt"
	"net/url"
	"strings"
)

// URLTemplate is a public address with placeholders: {id}, {locale} and the
// names of public fields.
type URLTemplate struct {
	parts []urlPart
}

type urlPart struct {
	text string
	name string // of a placeholder; text is then empty
}

// ParseURL parses a template, which is a path from the root or an http or https address. known
// reports whether a placeholder is allowed.
func ParseURL(template string, known func(name string) bool) (URLTemplate, error) {
	var t URLTemplate
	if !strings.HasPrefix(template, "/") && !strings.HasPrefix(template, "https://") && !strings.HasPrefix(template, "http://") {
		return t, fmt.Errorf("an address must begin with /, https:// or http://")
	}
	if strings.HasPrefix(template, "//") {
		return t, fmt.Errorf("an address must not begin with //")
	}
	if strings.ContainsFunc(template, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return t, fmt.Errorf("an address must not contain white space, control characters or backslashes")
	}
	for rest := template; rest != ""; {
		text, after, open := strings.Cut(rest, "{")
		if strings.Contains(text, "}") {
			return t, fmt.Errorf("a } has no matching {")
		}
		if text != "" {
			t.parts = append(t.parts, urlPart{text: text})
		}
		if !open {
			break
		}
		name, next, closed := strings.Cut(after, "}")
		if !closed {
			return t, fmt.Errorf("a { has no matching }")
		}
		if !known(name) {
			return t, fmt.Errorf("{%s} is neither {id}, {locale} nor a public field of kind text, textarea, slug, number or enum", name)
		}
		t.parts = append(t.parts, urlPart{name: name})
		rest = next
	}
	return t, nil
}

// Names returns the placeholders of the template.
func (t URLTemplate) Names() []string {
	var names []string
	for _, p := range t.parts {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	return names
}

// Fill replaces the placeholders by values, each escaped as one segment of a path. It returns "" if
// a segment becomes empty, . or .., because browsers resolve such an address differently: //x is on
// another host.
func (t URLTemplate) Fill(value func(name string) string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.name == "" {
			b.WriteString(p.text)
			continue
		}
		b.WriteString(url.PathEscape(value(p.name)))
	}
	filled := b.String()
	for i, segment := range strings.Split(path(filled), "/") {
		if t.fills(i) && strings.Trim(segment, ".") == "" && len(segment) <= len("..") {
			return ""
		}
	}
	return filled
}

// fills reports whether the path segment with the given index contains a placeholder.
func (t URLTemplate) fills(segment int) bool {
	at := 0
	for _, p := range t.parts {
		text := path(p.text)
		at += strings.Count(text, "/")
		switch {
		case at > segment || len(text) < len(p.text):
			return false
		case p.name != "" && at == segment:
			return true
		}
	}
	return false
}

// path returns the address up to its query or fragment.
func path(address string) string {
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		return address[:end]
	}
	return address
}

// Match returns the value of {id} in an address that the template could have filled, or false. A
// template without a query matches addresses with any.
func (t URLTemplate) Match(address string) (id string, ok bool) {
	whole := ""
	for _, p := range t.parts {
		whole += p.text
	}
	separators := "/?#&"
	if !strings.ContainsAny(whole, "?#") {
		address, separators = path(address), "/"
	}
	if n := len(t.parts); n > 0 && !strings.HasSuffix(t.parts[n-1].text, "/") {
		address = strings.TrimSuffix(address, "/")
	}
	for i, p := range t.parts {
		if p.name == "" {
			if !strings.HasPrefix(address, p.text) {
				return "", false
			}
			address = address[len(p.text):]
			continue
		}
		end := strings.IndexAny(address, separators)
		if end < 0 {
			end = len(address)
		}
		if i+1 < len(t.parts) {
			if next := strings.Index(address[:end], t.parts[i+1].text); next >= 0 && t.parts[i+1].text != "" {
				end = next
			}
		}
		value, err := url.PathUnescape(address[:end])
		if err != nil || value == "" {
			return "", false
		}
		if address = address[end:]; p.name == "id" {
			id = value
		}
	}
	return id, id != "" && address == ""
}
