package richtext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// elementAttrs are the attributes of a tag that the model uses.
type elementAttrs map[string]string

var attrNames = []string{"href", "src", "alt", "title", "start", "type", "colspan", "rowspan", "class", "data-type", "data-checked"}

func (b *builder) readAttrs(z *html.Tokenizer) elementAttrs {
	attrs := elementAttrs{}
	for more := true; more && b.spent.tokens <= maxTokens; b.spent.tokens++ {
		var key, value []byte
		key, value, more = z.TagAttr()
		name := string(key)
		if _, twice := attrs[name]; twice || len(value) > maxAttrBytes || !slices.Contains(attrNames, name) {
			continue // as in browsers, the first of two counts
		}
		attrs[name] = string(value)
	}
	return attrs
}

// take returns the named attributes that the rules allow.
func (e elementAttrs) take(rules []attrRule, names ...string) []attr {
	var attrs []attr
	for _, rule := range rules {
		value := strings.TrimSpace(e[rule.name])
		if value == "" || !slices.Contains(names, rule.name) {
			continue
		}
		v, ok := rule.read(appendString(nil, value))
		if !ok {
			v, ok = rule.read([]byte(value)) // a number
		}
		if ok {
			attrs = append(attrs, attr{name: rule.name, value: v})
		}
	}
	return attrs
}
