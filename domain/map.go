package domain

// Map returns the results of f for the values of the list, in order. It is never nil.
func Map[T, U any](list []T, f func(T) U) []U {
	all := make([]U, len(list))
	for i, value := range list {
		all[i] = f(value)
	}
	return all
}

// Filter returns the values of the list for which keep is true, in order; nil if there are none.
func Filter[T any](list []T, keep func(T) bool) (kept []T) {
	for _, value := range list {
		if keep(value) {
			kept = append(kept, value)
		}
	}
	return kept
}

// OrNone returns the list as JSON needs it: nil becomes an empty one.
func OrNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
