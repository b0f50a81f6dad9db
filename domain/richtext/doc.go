// Package richtext holds the model of rich text: ProseMirror documents that contain only the
// node types, marks and attributes of an allowlist. Every document in the
// model was built from that allowlist, whatever its source.
//
// There are two parsers. parse*.go reads ProseMirror JSON: notes strictly, with every fault and its path; other content
// leniently. from_html.go and html_*.go read stored HTML. Both keep their own bounded stack instead of decoding into a
// tree first, because their input is hostile: a tree is allocated before any bound can be checked, recursion has no
// limit, and html.Parse takes quadratic time on some inputs. Filing a report reads up to 4 MB of content with them
// (BenchmarkBuild in domain/snapshot). They share the schema, the node stack and the budget, but not the reading: HTML
// is a list of tags that may be malformed in any way, JSON a tree whose members come in any order. Other modules must
// not import it.
package richtext

import (
	"slices"

	"github.com/docketmod/docket/domain"
)

// Doc is a document of allowed nodes, at most MaxDepth nodes deep. It is immutable. The zero
// Doc is the empty document.
type Doc struct {
	content []node
}

// node is kept small, because a document may have thousands of nodes.
type node struct {
	kind    *kind
	traits  *traits // nil for most nodes
	content []node
	text    string
}

// traits are the attributes and marks of a node. They are immutable, and nodes share them.
type traits struct {
	attrs []attr
	marks []mark
}

// newTraits returns nil if there are neither attributes nor marks.
func newTraits(attrs []attr, marks []mark) *traits {
	if len(attrs) == 0 && len(marks) == 0 {
		return nil
	}
	return &traits{attrs, marks}
}

// addMarks adds the marks of t to a node without marks. It shares t if possible.
func (n *node) addMarks(t *traits) {
	switch {
	case n.traits == nil:
		n.traits = t
	case t != nil:
		n.traits = &traits{n.traits.attrs, t.marks}
	}
}

func (n *node) attrs() []attr {
	if n.traits == nil {
		return nil
	}
	return n.traits.attrs
}

func (n *node) marks() []mark {
	if n.traits == nil {
		return nil
	}
	return n.traits.marks
}

type mark struct {
	kind  *kind
	attrs []attr
}

// attr is a valid attribute. Its value is nil, a string, an int, a bool or []int.
type attr struct {
	name  string
	value any
}

// attrOf returns the value of an attribute, or the zero value if it is absent or null.
func attrOf[T any](attrs []attr, name string) (value T) {
	for _, a := range attrs {
		if a.name == name {
			value, _ = a.value.(T)
		}
	}
	return value
}

// IsEmpty reports whether a reader sees nothing in the document: no images, and only white
// space and invisible characters.
func (d Doc) IsEmpty() bool { return blank(d.content) }

func blank(nodes []node) bool {
	return !slices.ContainsFunc(nodes, func(n node) bool {
		return n.kind == image || domain.Visible(n.text) || !blank(n.content)
	})
}
