package richtext

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// elementOf is the HTML element of a node or mark, by its name.
var elementOf = map[string]string{
	"paragraph":      "p",
	"blockquote":     "blockquote",
	"bulletList":     "ul",
	"orderedList":    "ol",
	"listItem":       "li",
	"taskList":       "ul",
	"taskItem":       "li",
	"codeBlock":      "pre",
	"table":          "table",
	"tableRow":       "tr",
	"tableHeader":    "th",
	"tableCell":      "td",
	"horizontalRule": "hr",
	"hardBreak":      "br",
	"link":           "a",
	"bold":           "strong",
	"italic":         "em",
	"underline":      "u",
	"strike":         "s",
	"subscript":      "sub",
	"superscript":    "sup",
	"code":           "code",
}

// HTML renders the document as a client may, for the tests that hold what a browser is shown
// to the allowlist. An image is rendered as a link to it.
func (d Doc) HTML() string {
	var b strings.Builder
	renderNodes(&b, nil, d.content)
	return policy().Sanitize(b.String())
}

// policy allows the elements, attributes and schemes that the renderer can write.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code",
		"table", "tbody", "tr", "th", "td", "hr", "br", "strong", "em", "u", "s", "sub", "sup")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(false)
	p.AllowAttrs("href").OnElements("a")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^[1aAiI]$`)).OnElements("ol")
	p.AllowAttrs("colspan", "rowspan").Matching(bluemonday.Integer).OnElements("th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[A-Za-z0-9+#._-]+$`)).OnElements("code")
	p.AllowAttrs("data-type").Matching(regexp.MustCompile(`^taskList$`)).OnElements("ul")
	p.AllowAttrs("data-checked").Matching(regexp.MustCompile(`^(true|false)$`)).OnElements("li")
	return p
})

// renderNodes renders the content of a node of kind parent; nil means the document.
func renderNodes(b *strings.Builder, parent *kind, nodes []node) {
	for i := range nodes {
		if nodes[i].kind == image && parent.holdsBlocks() {
			renderElement(b, "p", &node{kind: paragraph, content: nodes[i : i+1]})
			continue
		}
		renderNode(b, &nodes[i])
	}
}

func renderNode(b *strings.Builder, n *node) {
	switch n.kind {
	case text:
		renderMarked(b, n.marks(), func() { b.WriteString(html.EscapeString(n.text)) })
	case image:
		// An image is rendered as a link, and links must not nest.
		renderMarked(b, withoutLink(n.marks()), func() { renderImage(b, n) })
	case hardBreak, horizontalRule:
		b.WriteString("<" + elementOf[n.kind.name] + ">")
	case heading:
		tag := "h" + strconv.Itoa(max(1, attrOf[int](n.attrs(), "level")))
		renderElement(b, tag, n)
	case table:
		b.WriteString("<table><tbody>")
		renderNodes(b, n.kind, n.content)
		b.WriteString("</tbody></table>")
	case codeBlock:
		b.WriteString("<pre><code")
		if language := attrOf[string](n.attrs(), "language"); language != "" {
			renderAttr(b, "class", "language-"+language)
		}
		b.WriteString(">")
		renderNodes(b, n.kind, n.content)
		b.WriteString("</code></pre>")
	default:
		renderElement(b, elementOf[n.kind.name], n)
	}
}

func renderElement(b *strings.Builder, tag string, n *node) {
	b.WriteString("<" + tag)
	switch n.kind {
	case orderedList:
		if start, ok := attrOf[any](n.attrs(), "start").(int); ok && start != 1 {
			renderAttr(b, "start", strconv.Itoa(start))
		}
		if form := attrOf[string](n.attrs(), "type"); form != "" {
			renderAttr(b, "type", form)
		}
	case taskList:
		renderAttr(b, "data-type", "taskList")
	case taskItem:
		renderAttr(b, "data-checked", strconv.FormatBool(attrOf[bool](n.attrs(), "checked")))
	case tableCell, tableHeader:
		for _, name := range []string{"colspan", "rowspan"} {
			if span := attrOf[int](n.attrs(), name); span > 1 {
				renderAttr(b, name, strconv.Itoa(span))
			}
		}
	}
	b.WriteString(">")
	renderNodes(b, n.kind, n.content)
	b.WriteString("</" + tag + ">")
}

func renderImage(b *strings.Builder, n *node) {
	src := attrOf[string](n.attrs(), "src")
	if src == "" {
		b.WriteString(html.EscapeString(n.imageText()))
		return
	}
	b.WriteString("<a")
	renderAttr(b, "href", src)
	b.WriteString(">" + html.EscapeString(n.imageText()) + "</a>")
}

// renderMarked renders content within its marks, which are always nested in the order of
// markKinds.
func renderMarked(b *strings.Builder, marks []mark, content func()) {
	marks = slices.Clone(marks)
	slices.SortFunc(marks, func(a, b mark) int { return slices.Index(markKinds, a.kind) - slices.Index(markKinds, b.kind) })
	for _, m := range marks {
		b.WriteString("<" + elementOf[m.kind.name])
		if m.kind == link {
			renderAttr(b, "href", attrOf[string](m.attrs, "href"))
		}
		b.WriteString(">")
	}
	content()
	for _, m := range slices.Backward(marks) {
		b.WriteString("</" + elementOf[m.kind.name] + ">")
	}
}

func withoutLink(marks []mark) []mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m mark) bool { return m.kind == link })
}

func renderAttr(b *strings.Builder, name, value string) {
	b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
}
