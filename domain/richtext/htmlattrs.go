package richtext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// elementAttrs are the attributes that the model reads, of one tag.
type elementAttrs map[string]string

func readElementAttrs(z *html.Tokenizer) elementAttrs {
	var attrs elementAttrs
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch name := string(key); name {
		case "href", "src", "alt", "title", "start", "type", "colspan", "rowspan", "class", "data-type", "data-checked", "data-language":
			if attrs == nil {
				attrs = elementAttrs{}
			}
			if _, twice := attrs[name]; !twice {
				attrs[name] = Clean(string(value))
			}
		}
	}
	return attrs
}

// take reads the named attributes by the rules of the schema; what these do not
// allow is dropped.
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
