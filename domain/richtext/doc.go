// Package richtext holds the one model of rich text: ProseMirror documents
// limited to the allowlist of contract 3.4. Notes are read strictly, content of
// other tables leniently, stored HTML is read into the same model, and whatever
// way a document came, it can only hold what the allowlist names.
package richtext

import "unicode"

// Doc is a document that holds only what the allowlist names, at most MaxDepth
// nodes deep. It is immutable; the zero Doc is the empty document.
type Doc struct {
	content []node
}

// node is kept small, since a document may have thousands.
type node struct {
	kind    *kind
	traits  *traits // nil for most
	content []node
	text    string
}

// traits are the attributes and marks of a node. Nodes share them, and they are
// never written again.
type traits struct {
	attrs []attr
	marks []mark
}

// newTraits are nil where there are none.
func newTraits(attrs []attr, marks []mark) *traits {
	if len(attrs) == 0 && len(marks) == 0 {
		return nil
	}
	return &traits{attrs, marks}
}

// addMarks gives a node without marks those of t, and shares t where it can.
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
	kind  *markKind
	attrs []attr
}

// attr is a checked attribute. Its value is nil, a string, an int, a bool or []int.
type attr struct {
	name  string
	value any
}

// attrOf gives an attribute's value, or the zero value where it is absent or null.
func attrOf[T any](attrs []attr, name string) (value T) {
	value, _ = attrValue(attrs, name).(T)
	return value
}

func attrValue(attrs []attr, name string) any {
	for _, a := range attrs {
		if a.name == name {
			return a.value
		}
	}
	return nil
}

// IsEmpty tells whether the document shows a reader nothing: no character but
// white space and invisible ones, and no image.
func (d Doc) IsEmpty() bool { return blank(d.content) }

func blank(nodes []node) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.kind == image || visible(n.text) || !blank(n.content) {
			return false
		}
	}
	return true
}

func visible(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) && !unicode.Is(unicode.C, r) {
			return true
		}
	}
	return false
}
