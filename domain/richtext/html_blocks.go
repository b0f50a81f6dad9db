package richtext

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

func isHTMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

func trimHTMLSpaceRight[T string | []byte](s T) T {
	for len(s) > 0 && isHTMLSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// text adds text. Outside code, white space collapses as in browsers.
func (b *builder) text(s []byte) {
	switch {
	case b.mutedDepth > 0 || len(s) == 0:
		return
	case b.inCode():
		if b.isEmpty() {
			s = bytes.TrimPrefix(bytes.TrimPrefix(s, []byte("\r")), []byte("\n")) // as after <pre>
		}
		b.run = append(b.run, affordable(&b.spent, s)...)
		return
	case b.top().node.kind.holdsBlocks() && len(trimHTMLSpaceRight(s)) == 0:
		return
	}
	b.needTextblock()
	s = affordable(&b.spent, s)
	for i := range len(s) {
		space := isHTMLSpace(s[i])
		switch {
		case !space:
			b.run = append(b.run, s[i])
		case !b.lastSpace:
			b.run = append(b.run, ' ')
		}
		b.lastSpace = space
	}
}

// flush turns the run into a node.
func (b *builder) flush() {
	if len(b.run) == 0 {
		return
	}
	n := node{kind: text, text: string(b.run)}
	// White space at the end may be dropped later.
	b.spent.characters += utf8.RuneCountInString(trimHTMLSpaceRight(n.text))
	if !b.inCode() {
		n.traits = b.activeMarks()
	}
	b.run = b.run[:0]
	b.add(n)
}

// add appends a node to the open block.
func (b *builder) add(n node) {
	b.nodes.push(n)
	b.spent.nodes++
	if n.kind == image || slices.ContainsFunc(n.marks(), func(m mark) bool { return m.kind == link }) {
		b.spent.links++
	}
}

// leaf appends an inline node and opens a paragraph for it if necessary.
func (b *builder) leaf(n node) {
	b.needTextblock()
	b.flush()
	b.add(n)
}

func (b *builder) needTextblock() {
	if b.top().node.kind.holdsBlocks() {
		b.fitBlock()
		b.push(0, node{kind: paragraph})
	}
}

// fitBlock opens the item, row or cell that a block inside a list or table needs.
func (b *builder) fitBlock() {
	switch b.top().node.kind {
	case bulletList, orderedList:
		b.push(0, node{kind: listItem})
	case taskList:
		b.push(0, node{kind: taskItem})
	case table:
		b.push(0, node{kind: tableRow})
		b.push(0, node{kind: tableCell})
	case tableRow:
		b.push(0, node{kind: tableCell})
	}
}

func (b *builder) push(tag atom.Atom, n node) {
	b.flush()
	b.stack = append(b.stack, openBlock{tag, n, len(b.nodes.open)})
	b.lastSpace = true
}

// pop closes the innermost block.
func (b *builder) pop() {
	b.flush()
	closed := *b.top()
	b.stack = b.stack[:len(b.stack)-1]
	b.lastSpace = true
	n := closed.node
	n.content = b.nodes.take(closed.first)
	if n.kind == paragraph || n.kind == heading {
		n.content = trimRight(n.content)
	}
	if len(n.content) == 0 && n.kind != tableCell && n.kind != tableHeader && n.kind != listItem && n.kind != taskItem {
		return
	}
	b.add(n)
}

// trimRight drops the white space at the end of a textblock.
func trimRight(nodes []node) []node {
	if len(nodes) == 0 {
		return nodes
	}
	last := &nodes[len(nodes)-1]
	if last.kind != text {
		return nodes
	}
	if last.text = trimHTMLSpaceRight(last.text); last.text == "" {
		return nodes[:len(nodes)-1]
	}
	return nodes
}

// endText closes the open paragraph or heading. In code, it begins a new line.
func (b *builder) endText() {
	switch b.top().node.kind {
	case paragraph, heading:
		b.pop()
	case codeBlock:
		if len(b.run) > 0 && b.run[len(b.run)-1] != '\n' {
			b.run = append(b.run, '\n')
		}
	}
}

// openBlock opens the block of a tag if it is allowed there.
func (b *builder) openBlock(tag atom.Atom, k *kind, attrs func() elementAttrs) {
	b.endText()
	fits := !b.inCode()
	if fits {
		switch k {
		case listItem:
			b.closeNearest([]*kind{listItem, taskItem}, bulletList, orderedList, taskList, table, tableRow, tableCell, tableHeader, blockquote)
			if top := b.top().node.kind; len(b.stack) <= deepestContainer && top != bulletList && top != orderedList && top != taskList {
				b.fitBlock()
				b.push(0, node{kind: bulletList})
			}
		case tableRow:
			b.closeNearest([]*kind{tableRow}, table)
			fits = b.top().node.kind == table
		case tableCell, tableHeader:
			b.closeNearest([]*kind{tableCell, tableHeader}, tableRow, table)
			if b.top().node.kind == table && len(b.stack) <= deepestContainer {
				b.push(0, node{kind: tableRow})
			}
			fits = b.top().node.kind == tableRow
		default:
			b.fitBlock()
		}
	}
	if k.group != textblock && (!fits || len(b.stack) > deepestContainer) {
		b.lost[tag]++
		return
	}
	if fits {
		b.push(tag, b.blockNode(tag, k, attrs))
	}
}

// blockNode returns the node for the tag of a block.
func (b *builder) blockNode(tag atom.Atom, k *kind, read func() elementAttrs) node {
	n := node{kind: k}
	var attrs []attr
	switch n.kind {
	case heading:
		attrs = []attr{{name: "level", value: int(tag.String()[1] - '0')}}
	case orderedList:
		attrs = read().take(orderedList.rules, "start", "type")
	case tableCell, tableHeader:
		attrs = read().take(cellRules, "colspan", "rowspan")
	case bulletList:
		if read()["data-type"] == "taskList" {
			n.kind = taskList
		}
	case listItem:
		if b.top().node.kind == taskList {
			n.kind = taskItem
			attrs = []attr{{name: "checked", value: read()["data-checked"] == "true"}}
		}
	}
	n.traits = newTraits(attrs, nil)
	return n
}

// closeNearest closes the innermost block of one of the kinds closing, with all blocks in it. It
// stops at a block of the kinds until.
func (b *builder) closeNearest(closing []*kind, until ...*kind) {
	for i := len(b.stack) - 1; i > 0; i-- {
		k := b.stack[i].node.kind
		if slices.Contains(closing, k) {
			b.popTo(i)
			return
		}
		if slices.Contains(until, k) {
			b.popTo(i + 1)
			return
		}
	}
}

// closeBlock closes the innermost block that the tag opened, with all blocks in it. An end
// tag in a cell cannot close a block around the table.
func (b *builder) closeBlock(tag atom.Atom) {
	ofTable := tag == atom.Table || tag == atom.Tr || tag == atom.Td || tag == atom.Th
	for i := len(b.stack) - 1; i > 0; i-- {
		if b.stack[i].tag == tag {
			b.popTo(i)
			return
		}
		k := b.stack[i].node.kind
		if !ofTable && (k == tableCell || k == tableHeader) || k == table {
			return
		}
	}
}

// popTo closes the blocks from index i on.
func (b *builder) popTo(i int) {
	for len(b.stack) > i {
		b.pop()
	}
}
