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
	name string // of a placeholder; then text is empty
}

// ParseURL reads a template, which is a path from the root or an http or https address.
// known reports whether a placeholder is allowed.
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

// Fill replaces the placeholders by values, each escaped as one segment of a path. It
// returns "" if a segment becomes empty, . or .., because browsers read such an address as
// another one: //x is on another host.
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
