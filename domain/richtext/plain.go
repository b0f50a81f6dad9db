package richtext

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlainText is the document's words: a line for each block, cells of a row
// with tabs between them, an image as its alternative text or else its address.
func (d Doc) PlainText() string { return d.Beginning(math.MaxInt) }

// Beginning is PlainText up to the text with which it holds at least so many code
// points that are not white space.
func (d Doc) Beginning(visible int) string {
	p := plain{left: visible}
	p.nodes(nil, d.content)
	return p.out.String()
}

// plain writes text with the separator that is due before what comes next.
type plain struct {
	out  strings.Builder
	due  string
	left int // code points that are not white space; at 0 it ends
}

func (p *plain) write(s string) {
	if s == "" {
		return
	}
	p.out.WriteString(p.due)
	p.due = ""
	p.out.WriteString(s)
	for _, r := range s {
		if !unicode.IsSpace(r) {
			p.left--
		}
	}
}

// separate makes a separator due, unless a stronger one is or nothing stands yet.
func (p *plain) separate(s string) {
	if p.out.Len() > 0 && p.due == "" {
		p.due = s
	}
}

func (p *plain) nodes(parent *kind, nodes []node) {
	for i := range nodes {
		if p.left <= 0 {
			return
		}
		n := &nodes[i]
		switch n.kind {
		case text:
			p.write(n.text)
		case hardBreak:
			p.write("\n")
		case image:
			if parent.holdsBlocks() && i > 0 {
				p.separate("\n")
			}
			p.write(n.imageText())
		case tableCell, tableHeader:
			if i > 0 && p.due == "\n" {
				p.due = ""
			}
			if i > 0 {
				p.separate("\t")
			} else {
				p.separate("\n")
			}
			p.nodes(n.kind, n.content)
		default:
			p.separate("\n")
			p.nodes(n.kind, n.content)
			p.separate("\n")
		}
	}
}

func (n *node) imageText() string {
	if alt := attrOf[string](n.attrs(), "alt"); alt != "" {
		return alt
	}
	return attrOf[string](n.attrs(), "src")
}

// Characters counts the code points of the document's text, separators aside.
func (d Doc) Characters() int { return count(d.content) }

func count(nodes []node) int {
	total := 0
	for i := range nodes {
		total += utf8.RuneCountInString(nodes[i].text) + count(nodes[i].content)
	}
	return total
}

// Cut gives the document up to max code points of its text, as Cut does for
// plain text, and tells whether it left something out.
func (d Doc) Cut(max int) (Doc, bool) {
	if d.Characters() <= max {
		return d, false
	}
	content, _ := cutNodes(d.content, max)
	return Doc{content: content}, true
}

// cutNodes gives nodes up to left code points of text and what is left of them,
// negative once the end was reached.
func cutNodes(nodes []node, left int) ([]node, int) {
	for i, n := range nodes {
		size := utf8.RuneCountInString(n.text)
		if size > left {
			n.text, _ = Cut(n.text, left)
			if n.text == "" {
				return nodes[:i:i], -1
			}
			return append(slices.Clip(nodes[:i]), n), -1
		}
		left -= size
		if n.content, left = cutNodes(n.content, left); left < 0 {
			return append(slices.Clip(nodes[:i]), n), left
		}
	}
	return nodes, left
}
