package permission

// Within reports whether the outer entry allows everything that the inner one allows. A nil
// entry allows nothing. Changes of staff entries are checked with it, so that nobody can
// grant or revoke what they do not hold.
func Within(inner, outer *Entry) bool {
	return len(Exceeding(inner, outer)) == 0 && !exceedsWholly(inner, outer)
}

// Exceeding returns the grants of inner that outer does not hold, or only in a smaller
// scope, in the order of inner. It does not consider whether inner is unrestricted; Within
// does.
func Exceeding(inner, outer *Entry) []Grant {
	if inner == nil || outer != nil && outer.Unrestricted {
		return nil
	}
	var held map[key]*reach
	if outer != nil {
		held = reachOf(outer.Grants)
	}
	var exceeding []Grant
	for _, g := range inner.Grants {
		if !held[g.key()].contains(g.Scope) {
			exceeding = append(exceeding, g)
		}
	}
	return exceeding
}

func exceedsWholly(inner, outer *Entry) bool {
	return inner != nil && inner.Unrestricted && (outer == nil || !outer.Unrestricted)
}
