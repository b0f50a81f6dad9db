package richtext

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Clean turns any bytes into text that PostgreSQL can store. Invalid UTF-8 and U+0000 become
// U+FFFD, so that readers see a gap.
func Clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return s
}

// lookBack is how many code points before a cut Cut searches for the boundary of a character. It
// bounds the cost of Cut, and by how much its result can be too short.
const lookBack = 1024

// Cut shortens valid UTF-8 text to at most limit code points and reports whether it did. It
// never splits a grapheme cluster (a letter with its accents, an emoji sequence, a flag),
// except one of more than a thousand code points.
func Cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	end := offset(s, limit)
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

// offset returns the byte offset of code point n of s, or the length of s.
func offset(s string, n int) int {
	for i := range s {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(s)
}

// anchor returns the last position at or before end that is certainly between two grapheme clusters:
// the start of the text, or ASCII on both sides with no line feed after it (CR LF is one cluster).
// Without one it returns where the search ended, and sure is false.
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
