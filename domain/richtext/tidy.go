package richtext

import "slices"

// tidy replaces nodes without a kind and nodes below MaxDepth by their children, and drops
// empty text nodes, which ProseMirror refuses to load. With wrap, it puts inline nodes among
// blocks into paragraphs.
func tidy(nodes []node, wrap bool) []node { return tidyChildren(nodes, nil, 1, wrap) }

// tidyChildren tidies the content of a node of kind parent; nil means the document. depth is the
// depth of the nodes in it.
func tidyChildren(nodes []node, parent *kind, depth int, wrap bool) []node {
	if slices.ContainsFunc(nodes, func(n node) bool { return n.dissolves(depth) }) {
		nodes = flatten(make([]node, 0, len(nodes)), nodes, depth)
	}
	for i := range nodes {
		nodes[i].content = tidyChildren(nodes[i].content, nodes[i].kind, depth+1, wrap)
	}
	if wrap && parent.holdsBlocks() && depth < MaxDepth {
		nodes = wrapInline(nodes)
	}
	return nodes
}

// dissolves reports whether the node is replaced by its children.
func (n *node) dissolves(depth int) bool {
	if n.kind == nil || n.kind == text && n.text == "" {
		return true
	}
	leaf := n.kind.group == inline || n.kind.group == leafBlock
	return depth > MaxDepth && !leaf
}

func flatten(out, nodes []node, depth int) []node {
	for _, n := range nodes {
		if n.dissolves(depth) {
			out = flatten(out, n.content, depth)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// loose reports whether the node must be in a textblock. Tiptap also puts images among blocks.
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
