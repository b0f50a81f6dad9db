package scope

import "slices"

// Covers tells whether a grant with this scope reaches the resource. A nil
// Scope is a grant without scope and reaches everything. Any other reaches only
// its own family, and a resource with an empty ID only by mode all (contract
// 3.3). A malformed Scope (no family, unknown mode) reaches nothing.
func (s *Scope) Covers(r Resource) bool {
	switch {
	case s == nil:
		return true
	case s.Family == "" || s.Family != r.Family:
		return false
	case s.Mode == All:
		return true
	case s.Mode == Selected:
		return r.ID != "" && slices.Contains(s.IDs, r.ID)
	}
	return false
}
