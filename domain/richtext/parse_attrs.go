package richtext

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
)

// members calls each for every key of a JSON object that a decoder has accepted.
func (p *parser) members(object jsontext.Value, each func(key string, value jsontext.Value)) {
	p.inner.Reset(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := p.inner.ReadToken(); err != nil || token.Kind() != '{' {
		return
	}
	for p.inner.PeekKind() == '"' && p.spent.tokens <= maxTokens {
		p.spent.tokens++
		token, err := p.inner.ReadToken()
		if err != nil {
			return
		}
		key := token.String()
		value, err := p.inner.ReadValue()
		if err != nil {
			return
		}
		each(key, value)
	}
}

// readAttrs returns the attributes that the rules allow, in the order of the rules. A nil
// object has none.
func (p *parser) readAttrs(object jsontext.Value, rules []attrRule, below string) []attr {
	var attrs []attr
	var faulty []string
	if object != nil {
		p.members(object, func(key string, value jsontext.Value) {
			v, fault := readAttr(rules, key, value, p.strict)
			if fault != nil {
				p.refuse(below+"."+clip(key), fault.Code, fault.Message)
				faulty = append(faulty, key)
				return
			}
			attrs = slices.DeleteFunc(attrs, func(a attr) bool { return a.name == key })
			attrs = append(attrs, attr{name: key, value: v})
		})
	}
	sortAttrs(attrs, rules)
	for _, r := range rules {
		if r.required && attrOf[string](attrs, r.name) == "" && !slices.Contains(faulty, r.name) {
			p.refuse(below+"."+r.name, "required", "Must be given.")
		}
	}
	return attrs
}

func readAttr(rules []attrRule, key string, value jsontext.Value, strict bool) (any, *domain.Issue) {
	i := slices.IndexFunc(rules, func(r attrRule) bool { return r.name == key })
	switch {
	case i < 0:
		return nil, &domain.Issue{Code: "not_allowed", Message: "This attribute is not allowed here."}
	case value[0] == 'n':
		return nil, nil
	case len(value) > maxAttrBytes:
		return nil, &domain.Issue{Code: "too_long", Message: fmt.Sprintf("Must have at most %d bytes.", maxAttrBytes)}
	case strict && holdsZero(value):
		return nil, &domain.Issue{Code: "invalid_text", Message: "Must not hold the character U+0000."}
	}
	if v, ok := rules[i].read(value); ok {
		return v, nil
	}
	return nil, &domain.Issue{Code: "not_allowed", Message: "This value is not allowed here."}
}

func sortAttrs(attrs []attr, rules []attrRule) {
	if len(attrs) < 2 {
		return
	}
	rank := func(name string) int {
		return slices.IndexFunc(rules, func(r attrRule) bool { return r.name == name })
	}
	slices.SortFunc(attrs, func(a, b attr) int { return rank(a.name) - rank(b.name) })
}
