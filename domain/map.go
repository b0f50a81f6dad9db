package domain

// Map returns what f makes of each value of the list, in its order. It is never nil.
func Map[T, U any](list []T, f func(T) U) []U {
	all := make([]U, len(list))
	for i, value := range list {
		all[i] = f(value)
	}
	return all
}
