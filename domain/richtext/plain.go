package richtext

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlainText returns the document's text: a line for each block, tabs between the cells of a
// row, and for an image its alternative text or else its address.
func (d Doc) PlainText() string { return d.Beginning(math.MaxInt) }

// Beginning returns PlainText up to and including the text node that completes the given number of
// code points that are not white space.
func (d Doc) Beginning(visible int) string {
	p := plain{left: visible}
	p.nodes(nil, d.content)
	return p.out.String()
}

// plain writes text. due is the separator to write before more text.
type plain struct {
	out  strings.Builder
	due  string
	left int // how many more code points that are not white space to write
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

// separate sets the separator, unless one is due already or nothing was written yet.
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

// Characters counts the code points of the document's text, without separators.
func (d Doc) Characters() int { return count(d.content) }

func count(nodes []node) int {
	total := 0
	for i := range nodes {
		total += utf8.RuneCountInString(nodes[i].text) + count(nodes[i].content)
	}
	return total
}

// Cut returns the document with at most limit code points of text, as Cut does for plain text, and
// reports whether it cut something.
func (d Doc) Cut(limit int) (Doc, bool) {
	if d.Characters() <= limit {
		return d, false
	}
	content, _ := cutNodes(d.content, limit)
	return Doc{content: content}, true
}

// cutNodes returns the nodes with at most left code points of text, and how many are left, which is
// negative after a cut.
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
