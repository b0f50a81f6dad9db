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
		if nodes[i].goes(depth) {
			return true
		}
	}
	return false
}

// goes tells whether the node's children, if any, take its place.
func (n *node) goes(depth int) bool {
	if n.kind == nil || n.kind == text && n.text == "" {
		return true
	}
	leaf := n.kind.group == inline || n.kind.group == leafBlock
	return depth > MaxDepth && !leaf
}

func (t tidier) flatten(nodes []node, depth int, out *[]node) {
	for i := range nodes {
		n := nodes[i]
		if n.goes(depth) {
			t.flatten(n.content, depth, out)
			continue
		}
		n.content = t.children(n.content, n.kind, depth+1)
		*out = append(*out, n)
	}
}

// loose tells whether the node needs a textblock around it; an image may stand
// among blocks, where Tiptap puts it.
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
