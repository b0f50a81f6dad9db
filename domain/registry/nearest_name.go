package registry

import (
	"fmt"
	"unicode/utf8"
)

// DidYouMean returns the end of a message that suggests the known name nearest to what was
// written, or "" if none is near.
func DidYouMean(written string, known []string) string {
	if n := nearest(written, known); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// nearest returns the name closest to what was written, or "" if none is close enough to be
// what was meant. Of two equally close names it prefers one with the same first letter.
func nearest(written string, names []string) string {
	length := utf8.RuneCountInString(written)
	best, bestDistance := "", 2*(length/2+1)
	if length > 64 {
		return ""
	}
	for _, n := range names {
		d := 2 * distance(written, n)
		if !alike(written, n) {
			d++
		}
		if d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance returns how many letters must be inserted, removed, changed or swapped with a
// neighbor to get from a to b (optimal string alignment, ignoring case).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if lower(x[i-1]) == lower(y[j-1]) {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && lower(x[i-1]) == lower(y[j-2]) && lower(x[i-2]) == lower(y[j-1]) {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// alike reports whether both begin with the same letter, ignoring case.
func alike(a, b string) bool {
	x, _ := utf8.DecodeRuneInString(a)
	y, _ := utf8.DecodeRuneInString(b)
	return a != "" && b != "" && lower(x) == lower(y)
}

func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}
