package paging

import "slices"

// Slice pages a list that is held in memory, in any order, by the same rules;
// items is left as it is.
func Slice[T any](items []T, r Request, key func(T) Position) Page[T] {
	sign := 1
	if r.travel() == Desc {
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
