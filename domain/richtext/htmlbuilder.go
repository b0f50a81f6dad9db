package richtext

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

const (
	// deepestContainer leaves room below it for a row, a cell, a paragraph and
	// its text.
	deepestContainer = MaxDepth - 4
	// maxOpenMarks is how many mark elements may be open at once.
	maxOpenMarks = 64
)

// builder makes a document from tags in any order and nesting.
type builder struct {
	stack []openBlock // the document first
	nodes nodeStack
	marks []openMark
	lost  map[atom.Atom]int // open tags beyond the bounds, whose end tags must close nothing

	run       []byte  // text of one set of marks that is not a node yet
	lastSpace bool    // the text so far ends in white space, or nothing stands yet
	active    *traits // the marks of the run
	stale     bool    // active must be worked out again

	muted      atom.Atom // the silent element that is open
	mutedDepth int
	spent      budget
}

// openBlock is a block that is open. Tag is 0 where no tag opened it.
type openBlock struct {
	tag   atom.Atom
	node  node // still without content
	first int  // where its content begins among the nodes
}

type openMark struct {
	tag  atom.Atom
	mark mark
}

func newBuilder() *builder {
	return &builder{stack: make([]openBlock, 1, MaxDepth), lost: map[atom.Atom]int{}}
}

func (b *builder) doc() Doc {
	for len(b.stack) > 1 {
		b.pop()
	}
	return Doc{content: b.nodes.rest()}
}

func (b *builder) top() *openBlock { return &b.stack[len(b.stack)-1] }

// isEmpty tells whether the innermost block has no content yet.
func (b *builder) isEmpty() bool { return len(b.nodes.open) == b.top().first && len(b.run) == 0 }

func (b *builder) inCode() bool { return b.top().node.kind == codeBlock }

// start takes in a start tag; attrs reads its attributes, which takes time.
func (b *builder) start(tag atom.Atom, attrs func() elementAttrs) {
	element := elements[tag]
	switch {
	case b.mutedDepth > 0:
		if tag == b.muted {
			b.mutedDepth++
		}
	case element.silent:
		b.muted, b.mutedDepth = tag, 1
	case tag == atom.Br && b.inCode():
		b.run = append(b.run, '\n')
	case tag == atom.Br:
		b.leaf(node{kind: hardBreak, traits: b.activeMarks()})
		b.lastSpace = true
	case tag == atom.Img:
		b.image(attrs())
	case tag == atom.Hr && b.inCode():
		b.endText()
	case tag == atom.Hr:
		b.endText()
		b.fitBlock()
		b.add(node{kind: horizontalRule})
	case tag == atom.Code && b.inCode():
		b.language(attrs())
	case element.mark != nil:
		b.openMark(tag, element.mark, attrs)
	case element.block != nil:
		b.openBlock(tag, element.block, attrs)
	case element.breaks:
		b.endText()
	}
}

// end takes in an end tag.
func (b *builder) end(tag atom.Atom) {
	element := elements[tag]
	switch {
	case b.mutedDepth > 0:
		if tag == b.muted {
			b.mutedDepth--
		}
	case len(b.lost) > 0 && b.lost[tag] > 0:
		b.lost[tag]--
		b.endText()
	case element.mark != nil:
		b.closeMark(tag)
	case element.block != nil:
		b.closeBlock(tag)
	case element.breaks:
		b.endText()
	}
}

func (b *builder) image(attrs elementAttrs) {
	n := node{kind: image, traits: newTraits(attrs.take(image.rules, "src", "alt", "title"), nil)}
	n.addMarks(b.activeMarks())
	switch {
	case n.imageText() == "":
	case b.inCode():
		b.run = append(b.run, n.imageText()...)
	default:
		b.leaf(n)
		b.lastSpace = false
	}
}

// language takes the language of a code block from the class of the code element in it.
func (b *builder) language(attrs elementAttrs) {
	for class := range strings.FieldsSeq(attrs["class"]) {
		name, ok := strings.CutPrefix(class, "language-")
		if ok && languageForm.MatchString(name) && b.top().node.traits == nil {
			b.top().node.traits = newTraits([]attr{{name: "language", value: name}}, nil)
		}
	}
}

func (b *builder) openMark(tag atom.Atom, k *markKind, attrs func() elementAttrs) {
	if len(b.marks) == maxOpenMarks {
		b.lost[tag]++
		return
	}
	m := mark{kind: k}
	if m.kind == link {
		m.attrs = attrs().take(link.rules, "href", "title")
		if attrOf[string](m.attrs, "href") == "" {
			return
		}
	}
	b.flush()
	b.marks, b.stale = append(b.marks, openMark{tag, m}), true
}

func (b *builder) closeMark(tag atom.Atom) {
	for i, m := range slices.Backward(b.marks) {
		if m.tag == tag {
			b.flush()
			b.marks, b.stale = slices.Delete(b.marks, i, i+1), true
			return
		}
	}
}

// activeMarks are the open marks, each kind once and the innermost of it.
func (b *builder) activeMarks() *traits {
	if b.stale {
		var marks []mark
		for _, open := range slices.Backward(b.marks) {
			if !slices.ContainsFunc(marks, func(m mark) bool { return m.kind == open.mark.kind }) {
				marks = append(marks, open.mark)
			}
		}
		slices.Reverse(marks)
		b.active, b.stale = newTraits(nil, marks), false
	}
	return b.active
}
