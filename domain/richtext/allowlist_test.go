package richtext_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"

	"github.com/docketmod/docket/domain/richtext"
)

// forms are the forms of the attributes of a node or mark, as JSON. Each can be null.
type forms map[string]*regexp.Regexp

func form(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?s)^(null|` + pattern + `)$`) }

// The allowlist, written down here once more so that the tests do not believe the code under test.
var (
	anything, number = form(`".*"`), form(`\d+`)
	cell             = forms{"colspan": number, "rowspan": number, "colwidth": form(`\[[\d,]*\]`), "align": form(`"(left|center|right)"`)}
	allowedNodes     = map[string]forms{
		"paragraph": nil, "text": nil, "blockquote": nil, "bulletList": nil, "listItem": nil, "taskList": nil,
		"table": nil, "tableRow": nil, "tableHeader": cell, "tableCell": cell, "horizontalRule": nil, "hardBreak": nil,
		"heading":     {"level": form(`[1-6]`)},
		"orderedList": {"start": number, "type": form(`"[1aAiI]"`)},
		"taskItem":    {"checked": form(`true|false`)},
		"codeBlock":   {"language": form(`"[\w+#.-]+"`)},
		"image":       {"src": anything, "alt": anything, "title": anything, "width": number, "height": number},
	}
	allowedMarks = map[string]forms{
		"bold": nil, "italic": nil, "underline": nil, "strike": nil, "subscript": nil, "superscript": nil, "code": nil,
		"link": {"href": anything, "target": form(`"_(blank|self|parent|top)"`), "rel": form(`"[a-z -]*"`), "class": form(`null`), "title": anything},
	}
	allowedSchemes = map[string][]string{"href": {"http", "https", "mailto", "tel"}, "src": {"http", "https"}}
)

// part is a document, a node or a mark.
type part struct {
	Type           string
	Attrs          map[string]json.RawMessage
	Marks, Content []part
}

// disallowed tells the first thing in a document that the allowlist does not hold, or "".
func disallowed(doc richtext.Doc) string {
	var root part
	if err := json.Unmarshal(doc.JSON(), &root); err != nil {
		return err.Error()
	}
	if root.Type != "doc" || root.Attrs != nil || root.Marks != nil {
		return "a document of type " + root.Type
	}
	return disallowedIn(root.Content, allowedNodes)
}

func disallowedIn(parts []part, allowed map[string]forms) string {
	for _, p := range parts {
		attrs, known := allowed[p.Type]
		if !known {
			return "type " + p.Type
		}
		for name, value := range p.Attrs {
			if attrs[name] == nil || !attrs[name].Match(value) {
				return fmt.Sprintf("attribute %s=%s of %s", name, value, p.Type)
			}
			var address string
			if err := json.Unmarshal(value, &address); allowedSchemes[name] != nil && string(value) != "null" {
				u, fault := url.Parse(address)
				if err != nil || fault != nil || !slices.Contains(allowedSchemes[name], u.Scheme) {
					return "address " + string(value)
				}
			}
		}
		if fault := disallowedIn(p.Marks, allowedMarks) + disallowedIn(p.Content, allowedNodes); fault != "" {
			return fault
		}
	}
	return ""
}
