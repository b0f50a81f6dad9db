package permission

// Within tells whether everything the inner entry allows, the outer one allows
// too. It is the ceiling of contract section 5: nobody gives or takes what they
// do not hold. A nil entry allows nothing.
func Within(inner, outer *Entry) bool {
	return len(Exceeding(inner, outer)) == 0 && !exceedsWholly(inner, outer)
}

// Exceeding returns the grants of inner that outer does not hold, or holds less
// widely, in the order of inner. An unrestricted inner entry exceeds every
// restricted one whatever its grants; that is Within's to tell.
func Exceeding(inner, outer *Entry) []Grant {
	if inner == nil || outer != nil && outer.Unrestricted {
		return nil
	}
	var held map[key]*reach
	if outer != nil {
		held = reachOf(outer.Grants)
	}
	var wide []Grant
	for _, g := range inner.Grants {
		if !held[g.key()].contains(g.Scope) {
			wide = append(wide, g)
		}
	}
	return wide
}

func exceedsWholly(inner, outer *Entry) bool {
	return inner != nil && inner.Unrestricted && (outer == nil || !outer.Unrestricted)
}
