package richtext

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Clean makes any bytes into text that every store takes: invalid UTF-8 and
// U+0000 become U+FFFD, so that a reader sees that something stood there.
func Clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return s
}

// lookBack is how many code points before a cut Cut searches for the boundary
// of a character, which bounds both its cost and what it may take off.
const lookBack = 1024

// Cut shortens valid UTF-8 text to at most max code points, and tells whether
// it did. It never splits a character as a reader sees it (a letter with its
// accents, an emoji sequence, a flag), except one of more than a thousand code points.
func Cut(s string, max int) (string, bool) {
	if len(s) <= max {
		return s, false
	}
	end := offset(s, max)
	if end == len(s) {
		return s, false
	}
	start, sure := anchor(s, end)
	last, rest, state := start, s[start:], -1
	for last < end {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if last+len(cluster) > end {
			break
		}
		last += len(cluster)
	}
	if last == start && !sure {
		last = end
	}
	return s[:last], true
}

// offset is the byte offset of code point n of s, or its length.
func offset(s string, n int) int {
	for i := range s {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(s)
}

// anchor is the last place at or before end that is surely between two
// characters, because ASCII stands on both sides or the text begins; else the
// start of the search, and not sure.
func anchor(s string, end int) (at int, sure bool) {
	at = end
	for range lookBack {
		if at == 0 || s[at] < utf8.RuneSelf && s[at-1] < utf8.RuneSelf && s[at] != '\n' {
			return at, true
		}
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at, false
}
