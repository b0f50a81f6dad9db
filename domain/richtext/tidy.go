package richtext

// tidy puts the children of nodes without a kind in their place, drops empty
// text, which ProseMirror refuses to load, and takes nodes below MaxDepth for
// their children. With wrap, inline nodes among blocks get a paragraph.
func tidy(nodes []node, wrap bool) []node {
	t := tidier{wrap: wrap}
	return t.children(nodes, nil, 1)
}

type tidier struct{ wrap bool }

// children tidies the content of a node of kind parent (nil for the document);
// depth is that of the nodes in it.
func (t tidier) children(nodes []node, parent *kind, depth int) []node {
	var out []node
	t.flatten(nodes, depth, &out)
	if t.wrap && parent.holdsBlocks() && depth < MaxDepth {
		out = wrapInline(out)
	}
	return out
}

func (t tidier) flatten(nodes []node, depth int, out *[]node) {
	for i := range nodes {
		n := nodes[i]
		leaf := n.kind != nil && (n.kind.group == inline || n.kind.group == leafBlock)
		switch {
		case n.kind == text && n.text == "":
		case n.kind == nil || depth > MaxDepth && !leaf:
			t.flatten(n.content, depth, out)
		default:
			n.content = t.children(n.content, n.kind, depth+1)
			*out = append(*out, n)
		}
	}
}

// loose tells whether the node needs a textblock around it; an image may stand
// among blocks, where Tiptap puts it.
func (n *node) loose() bool { return n.kind == text || n.kind == hardBreak }

func wrapInline(nodes []node) []node {
	first := 0
	for first < len(nodes) && !nodes[first].loose() {
		first++
	}
	if first == len(nodes) {
		return nodes
	}
	out := append(make([]node, 0, len(nodes)), nodes[:first]...)
	for i := first; i < len(nodes); i++ {
		switch {
		case !nodes[i].loose():
			out = append(out, nodes[i])
		case i > first && nodes[i-1].loose():
			last := &out[len(out)-1]
			last.content = append(last.content, nodes[i])
		default:
			out = append(out, node{kind: paragraph, content: []node{nodes[i]}})
		}
	}
	return out
}
