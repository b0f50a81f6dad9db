package richtext

// tidy replaces nodes without a kind and nodes below MaxDepth by their children, and drops
// empty text nodes, which ProseMirror refuses to load. With wrap, it puts inline nodes among
// blocks into paragraphs.
func tidy(nodes []node, wrap bool) []node {
	t := tidier{wrap: wrap}
	return t.children(nodes, nil, 1)
}

type tidier struct{ wrap bool }

// children tidies the content of a node of kind parent; nil means the document. depth is the
// depth of the nodes in it.
func (t tidier) children(nodes []node, parent *kind, depth int) []node {
	if needsFlattening(nodes, depth) {
		out := make([]node, 0, len(nodes))
		t.flatten(nodes, depth, &out)
		nodes = out
	} else {
		for i := range nodes {
			nodes[i].content = t.children(nodes[i].content, nodes[i].kind, depth+1)
		}
	}
	if t.wrap && parent.holdsBlocks() && depth < MaxDepth {
		nodes = wrapInline(nodes)
	}
	return nodes
}

func needsFlattening(nodes []node, depth int) bool {
	for i := range nodes {
		if nodes[i].dissolves(depth) {
			return true
		}
	}
	return false
}

// dissolves reports whether the node is replaced by its children.
func (n *node) dissolves(depth int) bool {
	if n.kind == nil || n.kind == text && n.text == "" {
		return true
	}
	leaf := n.kind.group == inline || n.kind.group == leafBlock
	return depth > MaxDepth && !leaf
}

func (t tidier) flatten(nodes []node, depth int, out *[]node) {
	for i := range nodes {
		n := nodes[i]
		if n.dissolves(depth) {
			t.flatten(n.content, depth, out)
			continue
		}
		n.content = t.children(n.content, n.kind, depth+1)
		*out = append(*out, n)
	}
}

// loose reports whether the node must be in a textblock. An image may be among blocks, where
// Tiptap puts it.
func (n *node) loose() bool { return n.kind == text || n.kind == hardBreak }

// wrapInline puts each run of loose nodes into a paragraph.
func wrapInline(nodes []node) []node {
	var out []node
	done := 0
	for i := 0; i < len(nodes); i++ {
		if !nodes[i].loose() {
			continue
		}
		end := i
		for end < len(nodes) && nodes[end].loose() {
			end++
		}
		out = append(out, nodes[done:i]...)
		out = append(out, node{kind: paragraph, content: nodes[i:end:end]})
		i, done = end, end
	}
	if done == 0 {
		return nodes
	}
	return append(out, nodes[done:]...)
}
