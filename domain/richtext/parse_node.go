package richtext

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
)

// refuse records a fault at a path below the open node. It does nothing if the parser is lenient.
func (p *parser) refuse(below, code, message string) {
	if !p.strict || len(p.issues) >= maxIssues {
		return
	}
	var path strings.Builder
	path.WriteString(p.path)
	for i := 1; i < len(p.stack); i++ {
		fmt.Fprintf(&path, ".content[%d]", p.stack[i].index)
	}
	path.WriteString(below)
	p.issues = append(p.issues, domain.Issue{Path: path.String(), Code: code, Message: message})
}

// refuseChild records a fault of a child of the open node.
func (p *parser) refuseChild(index int, code, message string) {
	if p.strict {
		p.refuse(fmt.Sprintf(".content[%d]", index), code, message)
	}
}

// finish checks the open node, removes it from the stack and adds it to its parent.
func (p *parser) finish() {
	f := p.top()
	if len(p.stack) == 1 {
		p.finishRoot(f)
		return
	}
	n := p.build(f, p.nodes.take(f.first))
	p.stack = p.stack[:len(p.stack)-1]
	if n.kind != nil || len(n.content) > 0 {
		p.nodes.push(n)
	}
}

func (p *parser) finishRoot(f *frame) {
	switch {
	case !f.hasType:
		p.refuse(".type", "required", "Must be given.")
	case f.typeName != "doc":
		p.refuse(".type", "not_allowed", "The outermost node must be `doc`.")
	}
	for _, key := range []struct {
		name string
		flag member
	}{{"text", hasText}, {"attrs", hasAttrs}, {"marks", hasMarks}} {
		if f.seen&key.flag != 0 {
			p.refuse("."+key.name, "unknown_field", "A document must not have this key.")
		}
	}
	p.root = p.nodes.rest()
	if f.typeName != "doc" && !p.strict {
		// A node that is not a document becomes its only child.
		p.root = []node{p.build(f, p.root)}
	}
	p.stack = p.stack[:0]
}

// build makes the node of a complete frame. A node of an unknown type has no kind; tidy replaces it
// by its children.
func (p *parser) build(f *frame, content []node) node {
	k := f.kind
	if k == nil {
		if f.hasType {
			p.refuse(".type", "not_allowed", "This kind of node is not allowed.")
		} else {
			p.refuse(".type", "required", "Must be given.")
		}
		return node{content: content}
	}
	p.spent.nodes++
	if k == image {
		p.spent.links++
	}
	n := node{kind: k, traits: newTraits(p.readAttrs(f.attrs, k.rules, ".attrs"), nil)}
	switch {
	case k == text && f.seen&hasText == 0:
		p.refuse(".text", "required", "Must be given.")
	case k == text:
		n.text = affordable(&p.spent, f.words)
		p.spent.characters += utf8.RuneCountInString(n.text)
	case f.seen&hasText != 0:
		p.refuse(".text", "unknown_field", "Only text nodes may have text.")
	}
	switch {
	case k.group == container || k.group == textblock:
		n.content = content
	case f.seen&hasContent != 0:
		p.refuse(".content", "unknown_field", "This kind of node must not have content.")
		if len(content) > 0 {
			// A lenient parser keeps both, the leaf first.
			return node{content: slices.Insert(content, 0, n)}
		}
	}
	if k.group == inline {
		n.addMarks(p.readMarks(f.marks))
	} else if f.seen&hasMarks != 0 {
		p.refuse(".marks", "unknown_field", "Only inline nodes may have marks.")
	}
	return n
}

// clip truncates a client's input for use in an issue.
func clip(s string) string {
	short, cut := Cut(s, 100)
	if cut {
		return short + "…"
	}
	return short
}
