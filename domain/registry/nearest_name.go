package registry

import (
	"fmt"
	"strings"
)

// DidYouMean returns the end of a message that suggests the known name nearest to the written one, or "" if none is
// near.
func DidYouMean(written string, known []string) string {
	if n := nearest(written, known); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// nearest returns the name closest to the written one, ignoring case, or "" if none is close. Of two equally close
// names it prefers one with the same first letter.
func nearest(written string, names []string) string {
	x := []rune(strings.ToLower(written))
	best, bestDistance := "", 2*(len(x)/2+1)
	if len(x) > 64 {
		return ""
	}
	for _, n := range names {
		y := []rune(strings.ToLower(n))
		d := 2 * distance(x, y)
		if len(x) == 0 || len(y) == 0 || x[0] != y[0] {
			d++
		}
		if d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance returns how many letters must be inserted, removed, replaced or swapped with a neighbor to get from x to y
// (optimal string alignment).
func distance(x, y []rune) int {
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
