package scope

import "slices"

// Covers reports whether a grant with this scope covers the resource. A nil Scope is that of
// a grant without scope and covers everything. Any other covers only its own family, and
// only mode All covers a resource with an empty ID. A malformed Scope, without a family or
// with an unknown mode, covers nothing.
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
