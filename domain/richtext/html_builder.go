package richtext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// builder builds a document from tags in any order and nesting.
type builder struct {
	stack []openBlock // the first is the document
	nodes nodeStack
	marks []openMark
	lost  map[atom.Atom]int // ignored start tags; their end tags must not close anything

	run       []byte  // text with the same marks, before it becomes a node
	lastSpace bool    // the text so far is empty or ends in white space
	active    *traits // the marks of the run
	stale     bool    // active must be computed again

	muted      atom.Atom // the silent element that is open
	mutedDepth int
	spent      budget
}

// openBlock is an open block. tag is 0 if no tag opened it.
type openBlock struct {
	tag   atom.Atom
	node  node // without its content
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

// isEmpty reports whether the innermost block has no content yet.
func (b *builder) isEmpty() bool { return len(b.nodes.open) == b.top().first && len(b.run) == 0 }

func (b *builder) inCode() bool { return b.top().node.kind == codeBlock }

// start handles a start tag. attrs reads its attributes; it is only called if they are needed.
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

// end handles an end tag.
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
		b.spent.links++
		b.run = append(b.run, affordable(&b.spent, n.imageText())...)
	default:
		b.leaf(n)
		b.lastSpace = false
	}
}

// language sets the language of a code block from the class of its code element.
func (b *builder) language(attrs elementAttrs) {
	for class := range strings.FieldsSeq(attrs["class"]) {
		name, ok := strings.CutPrefix(class, "language-")
		if ok && languageForm.MatchString(name) && b.top().node.traits == nil {
			b.top().node.traits = newTraits([]attr{{name: "language", value: name}}, nil)
		}
	}
}

func (b *builder) openMark(tag atom.Atom, k *kind, attrs func() elementAttrs) {
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

// activeMarks returns the open marks, the innermost of each kind.
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
			continue // as in browsers, which count it once
		}
		attrs[name] = string(value)
	}
	return attrs
}

// take returns the named attributes, if the rules allow their values.
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
