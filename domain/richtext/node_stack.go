package richtext

import "slices"

// nodeStack holds the children of all open nodes, those of the outermost first. The content
// of a node is allocated once, when the node closes and its size is known.
type nodeStack struct {
	open []node
	slab []node // from which finished content is cut
}

// The sizes of the first and the largest slab, in nodes. The first suffices for a few lines.
const (
	firstSlab = 16
	lastSlab  = 1024
)

func (s *nodeStack) push(n node) {
	if len(s.open) == cap(s.open) {
		s.open = slices.Grow(s.open, max(firstSlab, len(s.open)))
	}
	s.open = append(s.open, n)
}

// rest returns the content of the outermost node after all others are closed.
func (s *nodeStack) rest() []node { return slices.Clip(s.open) }

// take removes the nodes from index first on and returns them as content.
func (s *nodeStack) take(first int) []node {
	n := len(s.open) - first
	if n == 0 {
		return nil
	}
	if free := cap(s.slab) - len(s.slab); free < n {
		s.slab = make([]node, 0, max(n, firstSlab, min(2*cap(s.slab), lastSlab)))
	}
	from := len(s.slab)
	s.slab = append(s.slab, s.open[first:]...)
	s.open = s.open[:first]
	return s.slab[from:len(s.slab):len(s.slab)]
}
