package richtext_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// allowedAttrs is the allowlist as HTML, written down here once more
// so that the tests do not believe the code under test.
var allowedAttrs = map[string]map[string]*regexp.Regexp{
	"p": nil, "h1": nil, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "blockquote": nil,
	"pre": nil, "hr": nil, "br": nil, "strong": nil, "em": nil, "u": nil, "s": nil, "sub": nil, "sup": nil,
	"table": nil, "tbody": nil, "tr": nil,
	"a":    {"href": regexp.MustCompile(`.`), "rel": regexp.MustCompile(`^nofollow noreferrer$`)},
	"ul":   {"data-type": regexp.MustCompile(`^taskList$`)},
	"ol":   {"start": regexp.MustCompile(`^\d+$`), "type": regexp.MustCompile(`^[1aAiI]$`)},
	"li":   {"data-checked": regexp.MustCompile(`^(true|false)$`)},
	"th":   {"colspan": regexp.MustCompile(`^\d+$`), "rowspan": regexp.MustCompile(`^\d+$`)},
	"td":   {"colspan": regexp.MustCompile(`^\d+$`), "rowspan": regexp.MustCompile(`^\d+$`)},
	"code": {"class": regexp.MustCompile(`^language-[\w+#.-]+$`)},
}

// disallowed parses HTML as a browser does and tells the first thing in it that
// the allowlist does not hold, or "".
func disallowed(rendered string) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(rendered), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return "", fmt.Errorf("parse rendered HTML: %w", err)
	}
	for _, n := range nodes {
		if fault := disallowedIn(n); fault != "" {
			return fault, nil
		}
	}
	return "", nil
}

func disallowedIn(n *html.Node) string {
	switch n.Type {
	case html.TextNode:
	case html.ElementNode:
		attrs, known := allowedAttrs[n.Data]
		if !known {
			return "element " + n.Data
		}
		for _, a := range n.Attr {
			if form := attrs[a.Key]; form == nil || !form.MatchString(a.Val) {
				return fmt.Sprintf("attribute %s=%q of %s", a.Key, a.Val, n.Data)
			}
			if a.Key == "href" {
				u, err := url.Parse(a.Val)
				if err != nil || !slices.Contains([]string{"http", "https", "mailto", "tel"}, u.Scheme) {
					return "address " + a.Val
				}
			}
		}
	default:
		return fmt.Sprintf("a node of type %d", n.Type)
	}
	for child := range n.ChildNodes() {
		if fault := disallowedIn(child); fault != "" {
			return fault
		}
	}
	return ""
}
