package paging

import "slices"

// Slice returns the requested page of a list in memory. The items may be in any order and
// are not modified.
func Slice[T any](items []T, r Request, key func(T) Position) Page[T] {
	sign := 1
	if r.Travel() == Desc {
		sign = -1
	}
	var rows []T
	for _, item := range items {
		if r.after == nil || sign*key(item).compare(*r.after) > 0 {
			rows = append(rows, item)
		}
	}
	slices.SortStableFunc(rows, func(a, b T) int { return sign * key(a).compare(key(b)) })
	rows = rows[min(r.Offset(), len(rows)):]
	rows = rows[:min(r.Limit(), len(rows))]
	return NewPage(rows, r, key)
}
